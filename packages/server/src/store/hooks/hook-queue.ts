// Deliveries that are due: taken by one process at a time, by the clock of the database, and ended or put off by it.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { databaseTime } from '../database-time.ts'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'

export type TakenDelivery = {
  readonly id: number
  /** Counts this attempt; whoever writes how it went names it, so that a process that was too slow overwrites nothing. */
  readonly attempts: number
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

type Taking = {
  readonly heldMs: number
  /** Who has as many messages under way as may be. */
  readonly busyHooks: readonly number[]
  readonly busyOrganizations: readonly number[]
}

/** Takes the one that has been due longest, for a while: nobody else sends it meanwhile. */
export async function takeHookDelivery(
  db: Kysely<Tables>,
  { heldMs, busyHooks, busyOrganizations }: Taking,
): Promise<TakenDelivery | undefined> {
  const now = databaseTime(db)
  const skip = db.getExecutor().adapter instanceof PostgresAdapter ? sql`for update of d skip locked` : sql``
  const { rows } = await sql<{ id: number }>`
    update hook_deliveries set held_until = ${now} + ${sql.lit(heldMs)}, attempts = attempts + 1
    where id = (
      select d.id from hook_deliveries d join hooks h on h.id = d.hook_id join projects p on p.id = h.project_id
      where d.status = 'pending' and d.next_at <= ${now} and d.held_until <= ${now}
        and h.id not in (${idList(busyHooks)}) and p.organization_id not in (${idList(busyOrganizations)})
      order by d.next_at, d.id limit 1 ${skip})
    returning id`.execute(db)
  const id = rows[0]?.id
  return id === undefined ? undefined : findTaken(db, id)
}

/** Undefined where its hook was deleted in the same moment. */
async function findTaken(db: Kysely<Tables>, id: number): Promise<TakenDelivery | undefined> {
  const row = await db
    .selectFrom('hook_deliveries as d')
    .innerJoin('hook_messages as m', 'm.id', 'd.message_id')
    .innerJoin('hooks as h', 'h.id', 'd.hook_id')
    .innerJoin('projects as p', 'p.id', 'h.project_id')
    .where('d.id', '=', id)
    .select(['d.attempts', 'm.message_id', 'm.event', 'm.body', 'p.organization_id'])
    .select(['h.id as hook_id', 'h.url', 'h.seal_id', 'h.secret_sealed', 'h.earlier_secret_sealed', 'h.earlier_until'])
    .executeTakeFirst()
  return (
    row && {
      id,
      attempts: row.attempts,
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

type Taken = Pick<TakenDelivery, 'id' | 'attempts'>

export async function updateAttempt(db: Kysely<Tables>, { id, attempts }: Taken, record: AttemptRecord): Promise<void> {
  await sql`
    update hook_deliveries set status = ${record.status}, held_until = 0,
      next_at = ${databaseTime(db)} + ${sql.lit(Math.ceil(record.pauseMs))},
      attempted_at = ${record.attemptedAt}, duration_ms = ${record.durationMs},
      response_status = ${record.responseStatus}, response_text = ${record.responseText}, error = ${record.error}
    where id = ${id} and attempts = ${attempts} and status = 'pending'`.execute(db)
}

/** It was not sent after all: whoever comes next takes it at once, and it counts as no attempt. */
export async function releaseDelivery(db: Kysely<Tables>, { id, attempts }: Taken): Promise<void> {
  await db
    .updateTable('hook_deliveries')
    .set({ held_until: 0, attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Something arrived; what failed before is past. */
export async function updateHookArrival(db: Kysely<Tables>, hookId: number): Promise<void> {
  await db
    .updateTable('hooks')
    .set({ failing_since: null })
    .where('id', '=', hookId)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Answers since when nothing has arrived, or with undefined where the hook is turned off or gone. */
export async function updateHookFailure(db: Kysely<Tables>, hookId: number, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ failing_since: number }>`
    update hooks set failing_since = coalesce(failing_since, ${now}) where id = ${hookId} and is_enabled = 1
    returning failing_since`.execute(db)
  return rows[0]?.failing_since
}
