// The audit log of an organization: read by pages, filtered, and exported as a whole.
import { z } from 'zod'
import { IdParams, PageQuery } from '../page.ts'
import { Person } from '../people.ts'
import { route } from '../route.ts'
import { Id, IdParam, Time } from '../values/ids.ts'

export const AuditEvent = z.object({
  id: Id,
  at: Time,
  actor: Person.nullable(),
  action: z.string(),
  target: z.object({ kind: z.string(), id: Id.nullable(), name: z.string() }),
  fields: z.array(z.string()).describe('Names of what was changed, never values'),
  address: z.string().nullable(),
  request_id: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

const WORD = '[a-z][a-z_]{0,60}'

/** Who, what, which record, and when. What is left out matches everything. */
const filter = {
  user_id: IdParam.optional().describe('Who did it'),
  action: z
    .string()
    .regex(new RegExp(`^${WORD}(\\.${WORD})?$`), 'Give an action such as member.removed, or its first word')
    .optional()
    .describe('What was done: `member.removed`, or `member` for all that begins with it'),
  target_kind: z
    .string()
    .regex(new RegExp(`^${WORD}$`), 'Give a kind such as environment')
    .optional()
    .describe('To what kind of record, such as `environment`'),
  target_id: IdParam.optional().describe('To which record; give its kind too'),
  since: Time.optional().describe('Not before this time'),
  until: Time.optional().describe('Before this time'),
}

export const AuditFilter = z.strictObject(filter)
export type AuditFilter = z.infer<typeof AuditFilter>

export const auditRoutes = {
  listAuditEvents: route({
    method: 'GET',
    path: '/api/organizations/{id}/audit',
    summary: 'Who changed what, from where; newest first',
    description: 'Filter by user, action, target and time.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    query: PageQuery.extend(filter),
    success: 200,
    answer: z.array(AuditEvent),
  }),
  exportAuditEvents: route({
    method: 'GET',
    path: '/api/organizations/{id}/audit/export',
    summary: 'The audit log as a file, newest first',
    description:
      'As CSV, or as JSON lines of the same shape as the list has (`format=jsonl`). Cells of CSV that a spreadsheet would take for a formula ' +
      'begin with an apostrophe. The export is streamed, and is itself recorded in the log.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    query: AuditFilter.extend({ format: z.enum(['csv', 'jsonl'], 'Give csv or jsonl').default('csv') }),
    success: 200,
    answer: z.string(),
    answerType: 'application/octet-stream',
    errors: ['rate_limited'],
  }),
}
