// The platform itself: its health, its metrics, and this contract.
import { z } from 'zod'
import { addedLater } from './read-other-release.ts'
import { route } from './route.ts'
import { Id, Time } from './values/ids.ts'

export const Health = z.object({ status: z.enum(['ok', 'failing']), version: z.string() })

export const Platform = z.object({
  version: z.string(),
  database: z.enum(['embedded', 'postgres']),
  base_url: z.string().describe('The address that people use, from the setting SHIPWAY_BASE_URL'),
  sends_mail: z
    .boolean()
    .describe(
      'Whether a mail server is set up; without one, invitations are handed on as links and no password can be reset',
    ),
  keeps_mail: z
    .boolean()
    .describe(
      'Whether mails are kept to be read by platform administrators, since none are sent and only this machine reaches the platform',
    ),
  mails: z
    .object({
      waiting: z.int(),
      retrying: z.int(),
      given_up: z.int().describe('Mails of the last week that could not be delivered'),
      oldest_at: Time.nullable(),
      last_error: z.string().nullable(),
    })
    .describe('How the queue of mails is doing'),
  database_bytes: z.int().nullable().describe('Without free space inside the embedded database'),
  database_limit_bytes: z.int().nullable().describe('From SHIPWAY_DATABASE_MIB; null without a limit'),
  database_nearly_full: z.boolean().describe('From 80 % of the limit on'),
  task_log_days: z.int().nullable().describe('From SHIPWAY_TASK_LOG_DAYS; null if output is kept forever'),
  open_organizations: z.boolean().describe('Whether every user may create organizations'),
  require_two_factor: addedLater(
    z.boolean().describe('Users without two-factor codes reach nothing but their profile'),
    false,
  ),
  counts: z
    .object({
      users: z.int(),
      organizations: z.int(),
      projects: z.int(),
      environments: z.int().describe('Those that were not removed'),
      servers: z.int(),
      active_tasks: z.int().describe('Queued or running'),
    })
    .describe('Of the whole installation'),
})
export type Platform = z.infer<typeof Platform>

export const KeptMail = z.object({
  id: Id,
  kind: z.string().describe('What it is for, such as `password_reset`'),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  created_at: Time,
})
export type KeptMail = z.infer<typeof KeptMail>

export const aboutRoutes = {
  getPlatform: route({
    method: 'GET',
    path: '/api/platform',
    summary: 'How this installation is set up, and how much it holds',
    description:
      'For platform administrators, with a session or a token that is bound to no organization. It shows no secret and no address of ' +
      'the database or the mail server.',
    permission: 'platform_admin',
    scope: 'read',
    success: 200,
    answer: Platform,
    errors: ['organization_not_accessible'],
  }),
  updatePlatform: route({
    method: 'PATCH',
    path: '/api/platform',
    summary: 'Require two-factor codes of every user',
    description:
      'Users without them reach nothing but their profile from then on; see `has_two_factor` at `/api/users`. Refused with ' +
      '`second_factor_off` where the caller has none.',
    permission: 'platform_admin',
    scope: 'admin',
    body: z.strictObject({ require_two_factor: z.boolean() }),
    success: 200,
    answer: Platform,
    errors: ['organization_not_accessible', 'second_factor_off'],
  }),
  listKeptMails: route({
    method: 'GET',
    path: '/api/platform/mails',
    summary: 'The mailbox: mails that would have been sent, newest first',
    description:
      'For platform administrators who are signed in to the dashboard, and only while no mail server is set up and the base address is one of ' +
      'this machine alone: links in mails sign people in. Otherwise there is no mailbox, and nothing is kept. The last 100 of a week.',
    permission: 'platform_admin',
    scope: 'none',
    sessionOnly: true,
    success: 200,
    answer: z.array(KeptMail),
    errors: ['not_found'],
  }),
  getHealth: route({
    method: 'GET',
    path: '/healthz',
    summary: 'Is the process alive',
    description: 'Asks neither the database nor a server.',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: Health,
  }),
  getReadiness: route({
    method: 'GET',
    path: '/readyz',
    summary: 'Can the platform answer requests: its database answers, and its data folder has room',
    description: 'Answers 503 while it cannot, or has less than 16 MiB of free disk.',
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
    description: 'Lists the operations that this release answers.',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
  }),
  readReference: route({
    method: 'GET',
    path: '/api/reference',
    summary: 'This contract as a page to read',
    description: 'Made from the OpenAPI document, with an example for each operation.',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.string(),
    answerType: 'text/html',
  }),
}
