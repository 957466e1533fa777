// Deliveries of outbound webhooks as a queue: taken, then recorded or released.
import { type Kysely, sql } from 'kysely'
import { databaseTime } from '../database-time.ts'
import { idList } from '../id-list.ts'
import { isLeased, type Leased, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'

export type TakenDelivery = Leased & {
  readonly messageId: string
  readonly event: Tables['hook_messages']['event']
  readonly body: string
  readonly hook: {
    readonly id: number
    readonly organizationId: number
    readonly url: string
    readonly sealId: string
    readonly secretSealed: string
    readonly earlierSecretSealed: string | null
    readonly earlierUntil: number | null
  }
}

type DeliveryLimits = {
  readonly leaseMs: number
  /** Those with as many deliveries under way as they may have. */
  readonly busyHooks: readonly number[]
  readonly busyOrganizations: readonly number[]
}

export async function takeHookDelivery(
  db: Kysely<Tables>,
  { leaseMs, busyHooks, busyOrganizations }: DeliveryLimits,
): Promise<TakenDelivery | undefined> {
  const row = await takeDueRow(db, 'hook_deliveries', {
    leaseMs,
    join: sql`join hooks h on h.id = q.hook_id join projects p on p.id = h.project_id`,
    where: sql`q.status = 'pending' and h.id not in (${idList(busyHooks)})
      and p.organization_id not in (${idList(busyOrganizations)})`,
  })
  return row && findTaken(db, row)
}

/** Undefined if its hook was deleted in the same moment. */
async function findTaken(
  db: Kysely<Tables>,
  { id, attempts, leasedUntil }: Leased,
): Promise<TakenDelivery | undefined> {
  const row = await db
    .selectFrom('hook_deliveries as d')
    .innerJoin('hook_messages as m', 'm.id', 'd.message_id')
    .innerJoin('hooks as h', 'h.id', 'd.hook_id')
    .innerJoin('projects as p', 'p.id', 'h.project_id')
    .where('d.id', '=', id)
    .select(['m.message_id', 'm.event', 'm.body', 'p.organization_id'])
    .select(['h.id as hook_id', 'h.url', 'h.seal_id', 'h.secret_sealed', 'h.earlier_secret_sealed', 'h.earlier_until'])
    .executeTakeFirst()
  return (
    row && {
      id,
      attempts,
      leasedUntil,
      messageId: row.message_id,
      event: row.event,
      body: row.body,
      hook: {
        id: row.hook_id,
        organizationId: row.organization_id,
        url: row.url,
        sealId: row.seal_id,
        secretSealed: row.secret_sealed,
        earlierSecretSealed: row.earlier_secret_sealed,
        earlierUntil: row.earlier_until,
      },
    }
  )
}

export type AttemptRecord = {
  readonly status: 'pending' | 'succeeded' | 'failed'
  /** Of one that is tried again. */
  readonly pauseMs: number
  readonly attemptedAt: number
  readonly durationMs: number
  readonly responseStatus: number | null
  readonly responseText: string | null
  readonly error: string | null
}

export async function updateAttempt(db: Kysely<Tables>, taken: TakenDelivery, record: AttemptRecord): Promise<void> {
  await sql`
    update hook_deliveries set status = ${record.status}, held_until = 0,
      next_at = ${databaseTime(db)} + ${sql.lit(Math.ceil(record.pauseMs))},
      attempted_at = ${record.attemptedAt}, duration_ms = ${record.durationMs},
      response_status = ${record.responseStatus}, response_text = ${record.responseText}, error = ${record.error}
    where ${isLeased('hook_deliveries', taken)} and status = 'pending'`.execute(db)
}

/** The delivery was not sent: it is due at once, and this counts as no attempt. */
export async function releaseDelivery(db: Kysely<Tables>, taken: TakenDelivery): Promise<void> {
  await sql`
    update hook_deliveries set held_until = 0, attempts = attempts - 1
    where ${isLeased('hook_deliveries', taken)}`.execute(db)
}

/** A delivery arrived, so the webhook is not failing any more. */
export async function updateHookArrival(db: Kysely<Tables>, hookId: number): Promise<void> {
  await db
    .updateTable('hooks')
    .set({ failing_since: null })
    .where('id', '=', hookId)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Returns since when nothing has arrived; undefined if the hook is turned off or deleted. */
export async function updateHookFailure(db: Kysely<Tables>, hookId: number, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ failing_since: number }>`
    update hooks set failing_since = coalesce(failing_since, ${now}) where id = ${hookId} and is_enabled = 1
    returning failing_since`.execute(db)
  return rows[0]?.failing_since
}
