// The health of a server: the result of its last check, and what uses it.
import { z } from 'zod'
import { EnvironmentStatus } from '../environments.ts'
import { IdParams } from '../page.ts'
import { route } from '../route.ts'
import { Check, Disk } from '../servers.ts'
import { Id, Named, Time } from '../values/ids.ts'

export const ServerHealth = z.object({
  server_id: Id,
  checked_at: Time.nullable().describe('When it was last checked at the address that it has now; null before'),
  checks: z
    .array(Check)
    .describe(
      'The result of the last check: one failed `connection` if the server was not reached, empty before the first check',
    ),
  disk: Disk.nullable().describe('As the last check measured it'),
  tasks: z.object({
    running: z.int().describe('On this server now'),
    at_once: z.int().describe('As many as may run on one server at a time'),
  }),
  environments: z
    .array(
      z.object({
        id: Id,
        name: z.string(),
        status: EnvironmentStatus,
        project: Named,
      }),
    )
    .describe('Those on this server, newest first, at most 200'),
})
export type ServerHealth = z.infer<typeof ServerHealth>

export const serverHealthRoutes = {
  getServerHealth: route({
    method: 'GET',
    path: '/api/servers/{id}/health',
    summary: 'How a server is: its last check, its disk, what runs and what lives on it',
    description:
      'Reaches no server: it gives what `POST /api/servers/{id}/check` last found, in the words that everybody may know. The live ' +
      'channel announces a new check as `server.updated`.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: ServerHealth,
  }),
}
