// The services of an environment, and in which state the platform saw each of them last.
import { z } from 'zod'
import { IdParams } from '../page.ts'
import { route } from '../route.ts'
import { Id, Sha, Time } from '../values/ids.ts'

export const ServiceState = z
  .enum(['starting', 'healthy', 'running', 'unhealthy', 'restarting', 'exited', 'unknown'])
  .describe(
    '`running`: it answers; `healthy`: and so does its own health check say; `starting`: it began lately and does not answer yet; ' +
      '`unhealthy`: it runs and does not answer, or its own health check fails; `restarting`: it ends again and again; `exited`: it has ' +
      'ended; `unknown`: its server is out of reach',
  )
export type ServiceState = z.infer<typeof ServiceState>

export const SERVICE_STATE_FIELDS = {
  state: ServiceState,
  state_since: Time.describe('When the platform first saw it in this state'),
  restarts: z.int().describe('How often its container was started again'),
  exit_code: z.int().nullable(),
}

/** What is live of an environment. */
export const Live = z.object({
  task_id: Id,
  commit_sha: Sha.nullable(),
  since: Time,
  answers: z
    .boolean()
    .nullable()
    .describe(
      'Whether every service answered when the platform looked last, some seconds ago. Null where it has not looked since the last ' +
        'deployment ended, or the server is out of reach',
    ),
})

export const ServiceOutput = z.object({
  name: z.string(),
  routed: z.boolean().describe('Whether a domain leads to it'),
  ...SERVICE_STATE_FIELDS,
  last_lines: z
    .string()
    .nullable()
    .describe(
      'What it printed last, at most 4 KB with values of variables hidden; null while it works, or where that is not known',
    ),
})
export type ServiceOutput = z.infer<typeof ServiceOutput>

export const serviceStateRoutes = {
  listServices: route({
    method: 'GET',
    path: '/api/environments/{id}/services',
    summary:
      'Every service of what is live, routed or not, with its state and the last lines of one that does not work',
    description:
      'Does not contact a server: the platform checks each about every ten seconds, and the live channel announces a change as ' +
      '`environment.updated`.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.array(ServiceOutput),
  }),
}
