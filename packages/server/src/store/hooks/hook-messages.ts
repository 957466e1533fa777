// Rows of hook_messages: webhook messages, written in the transaction of the change that they report.
//
// A message is written in the transaction of the change it describes: every attempt sends the same text under the same id, and a removal
// carries the address that the environment had.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { WebhookEvent } from '../../domain/hooks/webhook-event.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** Writes nothing if no webhook listens to the event. */
export async function insertWebhookEvent(tx: Change, webhookEvent: WebhookEvent): Promise<void> {
  const { event, environmentId, at } = webhookEvent
  const hooks = await listListening(tx, environmentId, event)
  const projectId = hooks[0]?.project_id
  if (projectId === undefined) return
  const body = await tx.describeWebhookEvent(webhookEvent)
  await insertMessage(tx, { projectId, event, body, at, hookIds: hooks.map(({ id }) => id) })
}

type Message = {
  readonly projectId: number
  readonly event: Tables['hook_messages']['event']
  readonly body: string
  readonly at: number
  readonly hookIds: readonly number[]
}

/** Returns the ids of its deliveries, in the order of the hooks. */
export async function insertMessage(
  tx: Change,
  { projectId, event, body, at, hookIds }: Message,
): Promise<readonly number[]> {
  const { id } = await tx
    .insertInto('hook_messages')
    .values({ project_id: projectId, message_id: newMessageId(), event, body, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const deliveries = await tx
    .insertInto('hook_deliveries')
    .values(hookIds.map((hook_id) => ({ hook_id, message_id: id, created_at: at })))
    .returning(['id', 'hook_id'])
    .execute()
  tx.notify({ about: 'queue' })
  return hookIds.flatMap((hookId) => deliveries.filter(({ hook_id }) => hook_id === hookId).map((row) => row.id))
}

const newMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`

/** Events are a JSON list of names, and no name contains another. */
async function listListening(tx: Change, environmentId: number, event: WebhookEvent['event']) {
  const { rows } = await sql<{ id: number; project_id: number }>`
    select h.id, h.project_id from hooks h join environments e on e.project_id = h.project_id
    where e.id = ${environmentId} and h.is_enabled = 1 and h.events like ${`%"${event}"%`} order by h.id`.execute(tx)
  return rows
}
