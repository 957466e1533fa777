// Grants: what an owner lets one environment do beyond the policy for compose files.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { Person } from './people.ts'
import { route } from './route.ts'
import { Capability } from './values/capability.ts'
import { Time } from './values/ids.ts'

export const Grant = z.object({
  capability: Capability,
  description: z.string(),
  granted: z.boolean(),
  granted_by: Person.nullable(),
  granted_at: Time.nullable(),
})
export type Grant = z.infer<typeof Grant>

export const grantRoutes = {
  listGrants: route({
    method: 'GET',
    path: '/api/environments/{id}/grants',
    summary: 'What an owner can let an environment do beyond the policy for compose files, and what was granted',
    description: 'Every capability, with who granted it and when.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.array(Grant),
  }),
  changeGrants: route({
    method: 'PUT',
    path: '/api/environments/{id}/grants',
    summary: 'Let an environment do more than the policy for compose files, from its next deployment on',
    description:
      'For organization owners. These capabilities are granted, all others are not. The environment of a pull request ' +
      'from a fork gets none.',
    permission: 'own_organization',
    scope: 'admin',
    params: IdParams,
    body: z.strictObject({ capabilities: z.array(Capability).max(Capability.options.length) }),
    success: 200,
    answer: z.array(Grant),
    errors: ['environment_removing', 'project_deleting'],
  }),
}
