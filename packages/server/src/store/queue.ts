// Queue tables: a row becomes due, is leased to one process, and is deleted or put off by it. A lease runs out by itself, so a process that
// dies leaves the row to the next; what a process writes after that finds no row, since every write names the lease. Times are the
// database's, so that the clocks of several processes need not agree.
import { type Kysely, PostgresAdapter, type RawBuilder, type Selectable, sql } from 'kysely'
import { databaseTime } from './database-time.ts'
import type { Tables } from './tables/tables.ts'

/**
 * The column that holds the end of the lease. Deliveries show `next_at` to users, and events wake rows of `outbox` and `check_waits`, so
 * their lease has a column of its own.
 */
const LEASE_COLUMNS = {
  mails: 'next_at',
  outbox: 'held_until',
  hook_deliveries: 'held_until',
  channel_deliveries: 'next_at',
  repository_access: 'next_at',
  access_removals: 'next_at',
  check_requests: 'next_at',
  comment_requests: 'next_at',
  check_waits: 'held_until',
} as const

type QueueTable = keyof typeof LEASE_COLUMNS
/**
 * Events make these rows due earlier. A lease moves `next_at` to its own end, so another `next_at` under a lease says that an event came
 * since. No event goes below `paused_until`: the git host asked for that pause.
 */
type WokenQueue = 'outbox' | 'check_waits'
/** Rows go when they are done. */
type PlainQueue = Exclude<QueueTable, 'hook_deliveries' | WokenQueue>

const isWokenQueue = (table: QueueTable): boolean => table === 'outbox' || table === 'check_waits'

/** The organization of a row that belongs to a project, for `returning`. */
export const OF_PROJECT = sql`(select p.organization_id from projects p where p.id = project_id)`

export type Leased = {
  readonly id: number
  /** Counts this attempt. */
  readonly attempts: number
  readonly leasedUntil: number
}

type DueRows = {
  readonly leaseMs: number
  /** Joins and conditions on `q`, the row of the queue. */
  readonly join?: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
  /** An expression for the organization whose row it is; 0 by default. */
  readonly organization?: RawBuilder<unknown>
}

/** Leases the row that has been due longest. */
export async function takeDueRow<T extends QueueTable>(
  db: Kysely<Tables>,
  table: T,
  { leaseMs, join = sql``, where, organization = sql`0` }: DueRows,
): Promise<(Selectable<Tables[T]> & Leased & { readonly organizationId: number }) | undefined> {
  const now = databaseTime(db)
  const lease = sql.ref(LEASE_COLUMNS[table])
  const untilItsEnd = isWokenQueue(table) ? sql`, next_at = ${now} + ${sql.lit(leaseMs)}` : sql``
  const skipLocked = db.getExecutor().adapter instanceof PostgresAdapter ? sql`for update of q skip locked` : sql``
  const { rows } = await sql<Selectable<Tables[T]> & Leased & { readonly organizationId: number }>`
    update ${sql.table(table)} set ${lease} = ${now} + ${sql.lit(leaseMs)}, attempts = attempts + 1${untilItsEnd}
    where id = (
      select q.id from ${sql.table(table)} q ${join}
      where q.next_at <= ${now} and q.${lease} <= ${now} and ${where}
      order by q.next_at, q.id limit 1 ${skipLocked})
    returning *, ${lease} as "leasedUntil", ${organization} as "organizationId"`.execute(db)
  return rows[0]
}

/** Whether the lease is still the caller's. */
export const isLeased = (table: QueueTable, { id, leasedUntil }: Leased): RawBuilder<boolean> =>
  sql`id = ${id} and ${sql.ref(LEASE_COLUMNS[table])} = ${leasedUntil}`

/** Under a lease: an event came since the row was taken. */
export const IS_WOKEN: RawBuilder<boolean> = sql`next_at <> held_until`

export async function deleteLeased(db: Kysely<Tables>, table: PlainQueue, row: Leased): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${isLeased(table, row)}`.execute(db)
}

/** Due again after a pause. */
export async function postponeLeased(
  db: Kysely<Tables>,
  table: PlainQueue,
  { afterMs, error, ...row }: Leased & { readonly afterMs: number; readonly error: string },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set next_at = ${databaseTime(db)} + ${sql.lit(afterMs)}, last_error = ${error}
    where ${isLeased(table, row)}`.execute(db)
}

type Pause = { readonly afterMs: number; readonly askedMs: number; readonly error: string }

/** The same for rows that events wake. `askedMs`: how long the git host asks to be left alone. */
export async function postponeWoken(
  db: Kysely<Tables>,
  table: WokenQueue,
  { afterMs, askedMs, error, ...row }: Leased & Pause,
): Promise<void> {
  const now = databaseTime(db)
  await sql`
    update ${sql.table(table)} set held_until = 0, next_at = ${now} + ${sql.lit(Math.ceil(afterMs))},
      paused_until = ${now} + ${sql.lit(Math.ceil(askedMs))}, last_error = ${error}
    where ${isLeased(table, row)}`.execute(db)
}
