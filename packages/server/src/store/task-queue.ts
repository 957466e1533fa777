// The tasks table as a queue: taking a task, holding it by a lease, and asking that it be canceled.
//
// A worker takes a task for 30 seconds and renews that every 10. Each taking counts the epoch up, and every later write of that
// worker names its epoch: once another worker has taken the task over, the first one's writes find nothing to write to.
// Times are the database's, so that clocks of several processes need not agree.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { databaseTime } from './database-time.ts'
import type { Tables } from './tables.ts'
import { RECIPE } from './tasks-to-run.ts'
import { VARIABLES_VERSION } from './variables.ts'

const LEASE_MS = 30_000

export type Lease = { readonly taskId: number; readonly epoch: number }

/** How long the task had run when it was taken, by whomever: nothing for one that was queued. */
export type TakenTask = Lease & { readonly ranMs: number }

type Limits = { readonly worker: string; readonly mostInAll: number; readonly mostPerServer: number }

/** The task whose lease ran out longest ago, else the oldest queued one that the limits allow. */
export async function takeTask(database: Kysely<Tables>, limits: Limits): Promise<TakenTask | undefined> {
  return database.transaction().execute(async (db) => {
    await waitForTurn(db)
    const id = (await findAbandoned(db)) ?? (await findQueued(db, limits))
    if (id === undefined) return undefined
    const now = databaseTime(db)
    const { rows } = await sql<{ epoch: number; ran_ms: number }>`
      update tasks set status = 'running', worker = ${limits.worker}, epoch = epoch + 1,
        lease_until = ${now} + ${sql.lit(LEASE_MS)}, started_at = coalesce(started_at, ${now}),
        variables_version = coalesce(variables_version,
          (select ${VARIABLES_VERSION} from environments e join projects p on p.id = e.project_id
            where e.id = tasks.environment_id)),
        server_id = coalesce(server_id, (select e.server_id from environments e where e.id = tasks.environment_id)),
        recipe = coalesce(recipe, (select ${RECIPE} from environments e join projects p on p.id = e.project_id
          where e.id = tasks.environment_id))
      where id = ${id} and status in ('queued', 'running')
      returning epoch, ${now} - started_at as ran_ms`.execute(db)
    return rows[0] && { taskId: id, epoch: rows[0].epoch, ranMs: rows[0].ran_ms }
  })
}

/** False once the lease is somebody else's, or the task has ended. */
export async function renewLease(db: Kysely<Tables>, { taskId, epoch }: Lease): Promise<boolean> {
  const { rows } = await sql`
    update tasks set lease_until = ${databaseTime(db)} + ${sql.lit(LEASE_MS)}
    where id = ${taskId} and epoch = ${epoch} and status = 'running' returning id`.execute(db)
  return rows.length === 1
}

/** Lets the next worker take it at once: this one stops. */
export async function releaseLease(db: Kysely<Tables>, { taskId, epoch }: Lease): Promise<void> {
  await sql`update tasks set lease_until = 0 where id = ${taskId} and epoch = ${epoch} and status = 'running'`.execute(
    db,
  )
}

/** For the one process of the embedded database, at its start: whoever held a lease before is gone. */
export async function releaseEveryLease(db: Kysely<Tables>): Promise<void> {
  await sql`update tasks set lease_until = 0 where status = 'running'`.execute(db)
}

/** Holds the row of the task in the caller's transaction. False once the lease is lost. */
export async function lockLease(db: Kysely<Tables>, { taskId, epoch }: Lease): Promise<boolean> {
  const { rows } = await sql`
    update tasks set epoch = epoch where id = ${taskId} and epoch = ${epoch} and status = 'running' returning id`.execute(
    db,
  )
  return rows.length === 1
}

/** The state in which the task was asked to stop; undefined where it was asked before, or had ended. */
export async function updateCancelRequested(
  db: Kysely<Tables>,
  taskId: number,
  at: number,
): Promise<'queued' | 'running' | undefined> {
  const { rows } = await sql<{ status: 'queued' | 'running' }>`
    update tasks set cancel_requested_at = ${at}
    where id = ${taskId} and status in ('queued', 'running') and cancel_requested_at is null returning status`.execute(
    db,
  )
  return rows[0]?.status
}

export async function isCancelRequested(db: Kysely<Tables>, taskId: number): Promise<boolean> {
  const row = await db.selectFrom('tasks').where('id', '=', taskId).select('cancel_requested_at').executeTakeFirst()
  return row !== undefined && row.cancel_requested_at !== null
}

/** One taking at a time, so that the limits are counted once. On the embedded database every transaction is alone. */
async function waitForTurn(db: Kysely<Tables>): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(7878001)`.execute(db)
}

async function findAbandoned(db: Kysely<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from tasks where status = 'running' and lease_until < ${databaseTime(db)}
    order by lease_until limit 1 ${isPostgres(db) ? sql`for update skip locked` : sql``}`.execute(db)
  return rows[0]?.id
}

async function findQueued(db: Kysely<Tables>, { mostInAll, mostPerServer }: Limits): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tasks t join environments e on e.id = t.environment_id
    where t.status = 'queued'
      and not exists (select 1 from tasks r where r.environment_id = t.environment_id and r.status = 'running')
      and (select count(*) from tasks r where r.status = 'running') < ${mostInAll}
      and (select count(*) from tasks r join environments o on o.id = r.environment_id
        where r.status = 'running' and o.server_id = e.server_id) < ${mostPerServer}
    order by t.id limit 1 ${isPostgres(db) ? sql`for update of t skip locked` : sql``}`.execute(db)
  return rows[0]?.id
}

const isPostgres = (db: Kysely<Tables>): boolean => db.getExecutor().adapter instanceof PostgresAdapter
