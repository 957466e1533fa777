// Stored deliveries that are still to be applied: a queue for each project, in the order in which they were stored.
//
// The process that applies one locks the row of the project, and ends the delivery in the same transaction. So no two apply the same
// one, and a process that dies in between leaves it as it was. Times are the database's, since several processes take turns.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'
import { deleteOldDeliveries } from './deliveries.ts'

/** Of one project. */
const MOST_WAITING = 500

type NewDelivery = {
  readonly projectId: number
  readonly deliveryId: string
  readonly event: string
  /** The git host that it seems to come from, if that is not the project's. */
  readonly sentBy: RepositoryHost | null
  /** Its subject, for the list. */
  readonly pullRequestNumber: number | null
  readonly branch: string | null
  readonly content: string
  readonly at: number
}

export type StoredDelivery = {
  readonly id: number
  readonly deliveryId: string
  readonly event: string
  readonly content: string
  /** Counts this attempt: the process that stores a delivery applies it at once. */
  readonly attempts: number
  readonly isDue: boolean
}

/** One statement. Undefined if too many are waiting, or the project was deleted. */
export async function insertStored(db: Kysely<Tables>, delivery: NewDelivery): Promise<number | undefined> {
  const { projectId, deliveryId, event, sentBy, pullRequestNumber, branch, content, at } = delivery
  // Else the foreign key would fail where the project is being deleted in this moment.
  const lockClause = db.getExecutor().adapter instanceof PostgresAdapter ? sql`for key share of p` : sql``
  const { rows } = await sql<{ id: number }>`
    insert into deliveries (project_id, delivery_id, event, sent_by, pull_request_number, branch,
      verdict, content, attempts, received_at)
    select p.id, ${deliveryId}, ${event}, ${sentBy}, cast(${pullRequestNumber} as bigint), ${branch},
      'stored', ${content}, 1, cast(${at} as bigint) from projects p
    where p.id = ${projectId}
      and (select count(*) from deliveries d where d.project_id = p.id and d.verdict = 'stored') < ${sql.lit(MOST_WAITING)}
    ${lockClause} returning id`.execute(db)
  return rows[0]?.id
}

/** The caller has locked the project. */
export async function findOldestStored(db: Kysely<Tables>, projectId: number): Promise<StoredDelivery | undefined> {
  const { rows } = await sql<{
    id: number
    delivery_id: string
    event: string
    content: string | null
    attempts: number
    is_due: 0 | 1
  }>`
    select id, delivery_id, event, content, attempts,
      case when next_at <= ${databaseTime(db)} then 1 else 0 end as is_due
    from deliveries where project_id = ${projectId} and verdict = 'stored' order by id limit 1`.execute(db)
  const row = rows[0]
  return (
    row && {
      id: row.id,
      deliveryId: row.delivery_id,
      event: row.event,
      content: row.content ?? '',
      attempts: row.attempts,
      isDue: row.is_due === 1,
    }
  )
}

/** Counted before the attempt, so that a delivery that crashes the process is not retried for ever. */
export async function updateAttempts(db: Kysely<Tables>, id: number): Promise<void> {
  await sql`update deliveries set attempts = attempts + 1 where id = ${id} and verdict = 'stored'`.execute(db)
}

/** Later deliveries of the project wait, too. */
export async function updateNextAttempt(db: Kysely<Tables>, id: number, afterMs: number): Promise<void> {
  await sql`
    update deliveries set next_at = ${databaseTime(db)} + ${sql.lit(afterMs)}
    where id = ${id} and verdict = 'stored'`.execute(db)
}

type Verdict = {
  readonly verdict: 'accepted' | 'duplicate' | 'ignored' | 'failed'
  readonly reason: string | null
}

/** A verdict is final: a process that gives up may not know yet that the delivery was applied. */
export async function updateVerdict(
  tx: Change,
  { id, projectId }: { readonly id: number; readonly projectId: number },
  {
    verdict,
    reason,
    detail = null,
    environmentId = null,
  }: Verdict & { readonly detail?: string | null; readonly environmentId?: number | null },
): Promise<void> {
  const ended = { verdict, reason, detail, environment_id: environmentId, content: null }
  await tx.updateTable('deliveries').set(ended).where('id', '=', id).where('verdict', '=', 'stored').execute()
  await deleteOldDeliveries(tx, projectId, 'genuine')
  tx.notify({ about: 'delivery', id, projectId })
}

/** Undefined while it is waiting, and after its row was deleted. */
export async function findVerdict(db: Kysely<Tables>, id: number): Promise<Verdict | undefined> {
  const row = await db.selectFrom('deliveries').where('id', '=', id).select(['verdict', 'reason']).executeTakeFirst()
  if (!row || row.verdict === 'stored' || row.verdict === 'refused') return undefined
  return { verdict: row.verdict, reason: row.reason }
}

/** Projects whose oldest delivery is due. */
export async function listProjectsWithStored(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ project_id: number }>`
    select project_id from deliveries
    where id in (select min(id) from deliveries where verdict = 'stored' group by project_id)
      and next_at <= ${databaseTime(db)}
    order by id limit 1000`.execute(db)
  return rows.map(({ project_id: id }) => id)
}
