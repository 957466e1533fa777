// Custom variables of an environment: keys come out, values only go in.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { Person } from './people.ts'
import { route } from './route.ts'
import { Id, Time } from './values/ids.ts'
import { VARIABLE_LIMITS, VariableKey, VariableValues } from './values/variable.ts'

export const SYSTEM_KEYS = [
  'SERVICE_DOMAIN',
  'SERVICE_ENV_IDENTIFIER',
  'SERVICE_ENV_TYPE',
  'SERVICE_ENV_BRANCH',
] as const

export const VARIABLES_CHANGED_HINT = 'Variables changed since the last deployment'

const Variables = z.object({
  environment_id: Id,
  variables: z.array(z.object({ key: z.string(), updated_at: Time, updated_by: Person })),
  system_keys: z.array(z.enum(SYSTEM_KEYS)),
  variables_changed: z.boolean(),
  version: z.int(),
  hint: z.string().nullable(),
})

export const variableRoutes = {
  listVariables: route({
    method: 'GET',
    path: '/api/environments/{id}/variables',
    summary: 'Variable keys of an environment, never values',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Variables,
    versioned: true,
  }),
  changeVariables: route({
    method: 'PATCH',
    path: '/api/environments/{id}/variables',
    summary: 'Set or unset custom variables, all or nothing',
    description: 'An empty string is a value. Unsetting a key that is not there is fine.',
    permission: 'deploy',
    scope: 'vars:write',
    params: IdParams,
    body: z.strictObject({
      set: VariableValues.optional(),
      unset: z.array(VariableKey).max(VARIABLE_LIMITS.keys).optional(),
    }),
    success: 200,
    answer: Variables,
    errors: ['environment_protected', 'environment_removing', 'precondition_failed'],
    idempotent: true,
    versioned: true,
  }),
}
