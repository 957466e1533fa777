// What the platform tells of itself: its health, its metrics, and this contract.
import { z } from 'zod'
import { route } from './route.ts'

const Health = z.object({ status: z.enum(['ok', 'failing']), version: z.string() })

export const Platform = z.object({
  version: z.string(),
  database: z.enum(['embedded', 'postgres']),
  base_url: z.string().describe('The address that people use, from the setting SHIPWAY_BASE_URL'),
  sends_mail: z
    .boolean()
    .describe(
      'Whether a mail server is set up; without one, invitations are handed on as links and no password can be reset',
    ),
  open_organizations: z.boolean().describe('Whether everybody who is signed in may make organizations'),
  counts: z
    .object({
      users: z.int(),
      organizations: z.int(),
      projects: z.int(),
      environments: z.int().describe('Those that were not removed'),
      servers: z.int(),
      active_tasks: z.int().describe('Tasks that are queued or running'),
    })
    .describe('Of the whole installation, whichever organizations the caller is in'),
})
export type Platform = z.infer<typeof Platform>

export const aboutRoutes = {
  getPlatform: route({
    method: 'GET',
    path: '/api/platform',
    summary: 'How this installation is set up, and how much it holds',
    description:
      'For platform administrators, with a session or a token that is bound to no organization. It tells no secret and no address of ' +
      'the database or the mail server.',
    permission: 'platform_admin',
    scope: 'read',
    success: 200,
    answer: Platform,
    errors: ['organization_not_accessible'],
  }),
  getHealth: route({
    method: 'GET',
    path: '/healthz',
    summary: 'Is the process alive',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: Health,
  }),
  getReadiness: route({
    method: 'GET',
    path: '/readyz',
    summary: 'Can the platform answer requests: the database is reached and migrated',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: Health,
    errors: ['unavailable'],
  }),
  getMetrics: route({
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics in the Prometheus text format',
    description:
      'With the bearer token of the setting SHIPWAY_METRICS_TOKEN, with a token of a platform administrator, or without any ' +
      'where the setting SHIPWAY_METRICS is `open`.',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.string(),
    answerType: 'text/plain',
    errors: ['not_found'],
  }),
  getOpenApi: route({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This contract as OpenAPI 3.1',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
  }),
  readReference: route({
    method: 'GET',
    path: '/api/reference',
    summary: 'This contract as a page to read',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.string(),
    answerType: 'text/html',
  }),
}
