// Rows of the journal: recent change events, in one order for all processes. Survives a process that dies before announcing them.
import { type Kysely, PostgresAdapter, type RawBuilder, sql, type Transaction } from 'kysely'
import type { JournaledEvent } from '../domain/change-event.ts'
import type { Tables } from './tables/tables.ts'

export type JournalEntry = {
  readonly seq: number
  readonly at: number
  readonly about: JournaledEvent['about']
  readonly id: number
  readonly how: 'created' | 'updated' | 'deleted'
  /** Of a step. */
  readonly position: number | null
  /** The organization of a project or a server, the project of an environment or a delivery, the environment of a task. */
  readonly parentId: number | null
}

/**
 * The last statement of a change: from here to the commit every other change waits, which makes the order of the numbers the
 * order of the commits. Nothing is locked after it, so there is no deadlock.
 */
export async function insertJournal(
  tx: Transaction<Tables>,
  event: readonly JournaledEvent[],
  at: number,
): Promise<void> {
  if (event.length === 0) return
  if (tx.getExecutor().adapter instanceof PostgresAdapter && event.length <= ROWS_AT_ONCE) {
    await insertAtOnce(tx, event, at)
    return
  }
  const { rows } = await sql<{ seq: number }>`
    update journal_end set seq = seq + ${event.length} returning seq`.execute(tx)
  const first = (rows[0]?.seq ?? 0) - event.length + 1
  for (let from = 0; from < event.length; from += ROWS_AT_ONCE) {
    const values = event.slice(from, from + ROWS_AT_ONCE).map(
      (one, index) => sql`(${first + from + index}, ${at}, ${one.about}, ${one.id}, ${howOf(one)},
          ${positionOf(one)}, ${parentOf(one)})`,
    )
    await sql`insert into journal (seq, at, about, id, how, position, parent_id) values ${sql.join(values)}`.execute(tx)
  }
}

/** Both in one statement, which only PostgreSQL has: from here to the commit every other change waits, so each round trip counts. */
async function insertAtOnce(tx: Transaction<Tables>, event: readonly JournaledEvent[], at: number): Promise<void> {
  const count = sql.lit(event.length)
  const values = event.map(
    (one, index) => sql`(${sql.lit(index + 1)}, ${one.about}, ${one.id}::bigint, ${howOf(one)},
      ${positionOf(one)}::bigint, (${parentOf(one)})::bigint)`,
  )
  await sql`
    with counted as (update journal_end set seq = seq + ${count} returning seq)
    insert into journal (seq, at, about, id, how, position, parent_id)
    select counted.seq - ${count} + new.place, ${at}::bigint, new.about, new.id, new.how, new.position, new.parent_id
    from counted cross join (values ${sql.join(values)}) as new (place, about, id, how, position, parent_id)`.execute(
    tx,
  )
}

const howOf = (event: JournaledEvent): string => ('how' in event ? event.how : 'created')
const positionOf = (event: JournaledEvent): number | null => ('position' in event ? event.position : null)

const ROWS_AT_ONCE = 500

function parentOf(event: JournaledEvent): RawBuilder<unknown> {
  const { about, id } = event
  switch (about) {
    case 'project':
    case 'server':
      if (event.organizationId !== undefined) return sql`${event.organizationId}`
      return sql`(select organization_id from ${sql.table(`${about}s`)} where id = ${id})`
    case 'environment':
      return sql`(select project_id from environments where id = ${id})`
    case 'task':
      return sql`(select environment_id from tasks where id = ${id})`
    case 'delivery':
      return sql`${event.projectId}`
    case 'organization':
    case 'step':
    case 'user':
      return sql`null`
  }
}

/** All that came after a number, oldest first. */
export async function listJournal(db: Kysely<Tables>, after: number, most: number): Promise<readonly JournalEntry[]> {
  const rows = await db.selectFrom('journal').where('seq', '>', after).orderBy('seq').limit(most).selectAll().execute()
  return rows.map(({ parent_id: parentId, ...row }) => ({ ...row, parentId }))
}

/** The last number, and the one before the first that is still there. */
export async function findJournalEnds(db: Kysely<Tables>): Promise<{ readonly first: number; readonly last: number }> {
  const { rows } = await sql<{ last: number; first: number | null }>`
    select seq as last, (select min(seq) - 1 from journal) as first from journal_end`.execute(db)
  const { last = 0, first = null } = rows[0] ?? {}
  return { last, first: first ?? last }
}

/** Longer than a disconnected reader can catch up. */
const KEPT_MS = 10 * 60_000

/** The last entry stays: its number shows a late reader that entries were deleted. */
export async function deleteOldJournal(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('journal')
    .where('at', '<', now - KEPT_MS)
    .where('seq', '<', (query) => query.selectFrom('journal_end').select('seq'))
    .execute()
}
