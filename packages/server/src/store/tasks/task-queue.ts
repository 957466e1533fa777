// The tasks table as a queue: taking a task, renewing its lease, and requesting its cancellation.
//
// A worker takes a task for 30 seconds and renews that every 10. Each taking counts the epoch up, and every later write of that
// worker names its epoch: once another worker has taken the task over, the first one's writes find nothing to write to.
// Times are the database's, so that clocks of several processes need not agree.
//
// The tasks table is the queue. Two partial unique indexes allow one queued and one running task per environment; a third allows one active run
// of each action. A worker takes a task for 30 s and renews its lease every 10 s, by the database's clock. Taking increments the epoch, and
// each later write of that worker checks it: a worker that was suspended and woken again writes nothing.
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import { shareOf } from '../../domain/tasks/fair-share.ts'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import { VARIABLES_VERSION } from '../environments/variables.ts'
import type { Tables } from '../tables/tables.ts'
import { LIVE_ID } from './task-facts.ts'
import { whereKind } from './task-kinds.ts'
import { RECIPE } from './tasks-to-run.ts'

const LEASE_MS = 30_000

export type Lease = { readonly taskId: number; readonly epoch: number }

/** How long the task had run when it was taken, by all workers together: 0 for a queued one. */
export type TakenTask = Lease & { readonly ranMs: number }

type TakeLimits = { readonly worker: string; readonly mostInAll: number; readonly mostPerServer: number }

/** Takes the task whose lease expired first, else a queued one that the limits and its organization's share allow. */
export async function takeTask(tx: Change, limits: TakeLimits): Promise<TakenTask | undefined> {
  await waitForTurn(tx)
  const abandoned = await findAbandoned(tx)
  const id = abandoned ?? (await findQueued(tx, limits))
  if (id === undefined) return undefined
  const now = databaseTime(tx)
  if (abandoned === undefined) await noteTurn(tx, id)
  const { rows } = await sql<{ environment_id: number; epoch: number; ran_ms: number }>`
    update tasks set status = 'running', worker = ${limits.worker}, epoch = epoch + 1,
      lease_until = ${now} + ${sql.lit(LEASE_MS)}, started_at = coalesce(started_at, ${now}),
      variables_version = coalesce(variables_version,
        (select ${VARIABLES_VERSION} from environments e join projects p on p.id = e.project_id
          where e.id = tasks.environment_id)),
      server_id = coalesce(server_id, ${servingOnes('server_id')},
        (select e.server_id from environments e where e.id = tasks.environment_id)),
      recipe = coalesce(recipe, ${servingOnes('recipe')},
        (select ${RECIPE} from environments e join projects p on p.id = e.project_id where e.id = tasks.environment_id))
    where id = ${id} and status in ('queued', 'running')
    returning environment_id, epoch, ${now} - started_at as ran_ms`.execute(tx)
  const [taken] = rows
  if (!taken) return undefined
  tx.notify({ about: 'task', id, how: 'updated' })
  tx.notify({ about: 'environment', id: taken.environment_id, how: 'updated' })
  return { taskId: id, epoch: taken.epoch, ranMs: taken.ran_ms }
}

/** An action runs in the live deployment, on that deployment's server, whatever the environment's settings are by now. */
function servingOnes(column: 'server_id' | 'recipe'): RawBuilder<unknown> {
  return sql`(select l.${sql.ref(column)} from environments e join tasks l on l.id = ${LIVE_ID}
    where e.id = tasks.environment_id and ${whereKind('tasks', 'runsInLiveDeployment')})`
}

/** False if another worker has the lease, or the task has ended. */
export async function renewLease(db: Kysely<Tables>, { taskId, epoch }: Lease): Promise<boolean> {
  const { rows } = await sql`
    update tasks set lease_until = ${databaseTime(db)} + ${sql.lit(LEASE_MS)}
    where id = ${taskId} and epoch = ${epoch} and status = 'running' returning id`.execute(db)
  return rows.length === 1
}

/** Lets the next worker take the task at once, because this one stops. */
export async function releaseLease(db: Kysely<Tables>, { taskId, epoch }: Lease): Promise<void> {
  await sql`update tasks set lease_until = 0 where id = ${taskId} and epoch = ${epoch} and status = 'running'`.execute(
    db,
  )
}

/** At the start of the only process of the embedded database: earlier holders of leases are dead. */
export async function releaseEveryLease(db: Kysely<Tables>): Promise<void> {
  await sql`update tasks set lease_until = 0 where status = 'running'`.execute(db)
}

/** Locks the row of the task until the caller's transaction ends. False once the lease is lost. */
export async function lockLease(db: Kysely<Tables>, { taskId, epoch }: Lease): Promise<boolean> {
  const { rows } = await sql`
    update tasks set epoch = epoch where id = ${taskId} and epoch = ${epoch} and status = 'running' returning id`.execute(
    db,
  )
  return rows.length === 1
}

/** The state in which the task was asked to stop; undefined if it was asked before, or had ended. */
export async function updateCancelRequested(
  tx: Change,
  taskId: number,
  at: number,
): Promise<'queued' | 'running' | undefined> {
  const { rows } = await sql<{ status: 'queued' | 'running' }>`
    update tasks set cancel_requested_at = ${at}
    where id = ${taskId} and status in ('queued', 'running') and cancel_requested_at is null returning status`.execute(
    tx,
  )
  if (rows.length > 0) {
    tx.notify({ about: 'task', id: taskId, how: 'updated' })
    tx.notify({ about: 'cancel', id: taskId })
  }
  return rows[0]?.status
}

export async function isCancelRequested(db: Kysely<Tables>, taskId: number): Promise<boolean> {
  const row = await db.selectFrom('tasks').where('id', '=', taskId).select('cancel_requested_at').executeTakeFirst()
  return row !== undefined && row.cancel_requested_at !== null
}

/** Serializes taking, so that concurrent workers respect the limits. On the embedded database every transaction is alone. */
async function waitForTurn(db: Kysely<Tables>): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(7878001)`.execute(db)
}

async function findAbandoned(db: Kysely<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from tasks where status = 'running' and lease_until < ${databaseTime(db)}
    order by lease_until limit 1 ${isPostgres(db) ? sql`for update skip locked` : sql``}`.execute(db)
  return rows[0]?.id
}

/**
 * Takes from the organization with the fewest running tasks; of several, from the one whose turn was longest ago; of its tasks, the
 * oldest. Running tasks are counted over all processes. Queued and running tasks have an index each, so tasks that have ended cost
 * nothing.
 *
 * Tasks that do not lock their environment (actions) have as many slots of their own: neither sort keeps the other waiting, and an action
 * runs beside a deployment. A task that clears the environment asks them to end and begins when they have; they wait for it in turn.
 */
async function findQueued(db: Kysely<Tables>, { mostInAll, mostPerServer }: TakeLimits): Promise<number | undefined> {
  const { most, open, alone } = shareOf(mostInAll)
  const isLocking = sql`case when ${whereKind('t', 'locksEnvironment')} then 1 else 0 end`
  const all = sql`(select count(*) from running where is_locking = ${isLocking})`
  const { rows } = await sql<{ id: number }>`
    with running as materialized (
      select r.environment_id, r.kind, coalesce(r.server_id, o.server_id) as server_id, p.organization_id,
        case when ${whereKind('r', 'locksEnvironment')} then 1 else 0 end as is_locking
      from tasks r
      join environments o on o.id = r.environment_id join projects p on p.id = o.project_id
      where r.status = 'running')
    select t.id from tasks t
    join environments e on e.id = t.environment_id join projects p on p.id = e.project_id
    left join (select server_id, is_locking, count(*) as running from running group by server_id, is_locking) s
      on s.server_id = e.server_id and s.is_locking = ${isLocking}
    left join (select organization_id, is_locking, count(*) as running from running group by organization_id, is_locking) o
      on o.organization_id = p.organization_id and o.is_locking = ${isLocking}
    left join runner_turns u on u.organization_id = p.organization_id
    where t.status = 'queued' and ${all} < ${mostInAll}
      and ${MAY_BEGIN}
      and coalesce(s.running, 0) < ${mostPerServer}
      and (o.running is null or (${IS_ALONE} and o.running < ${alone}) or (o.running < ${most} and ${all} < ${open}))
    order by coalesce(o.running, 0), coalesce(u.taken_at, 0), t.id
    limit 1 ${isPostgres(db) ? sql`for update of t skip locked` : sql``}`.execute(db)
  return rows[0]?.id
}

/** Whether the other tasks of the environment let `tasks t` begin. */
const MAY_BEGIN = sql`case
  when not (${whereKind('t', 'locksEnvironment')}) then not exists (select 1 from tasks o where o.environment_id = t.environment_id
    and o.status in ('queued', 'running') and ${whereKind('o', 'clearsEnvironment')})
  when ${whereKind('t', 'clearsEnvironment')} then not exists (select 1 from running o where o.environment_id = t.environment_id)
  else not exists (select 1 from running o where o.environment_id = t.environment_id and o.is_locking = 1) end`

/** Counts as the limit of a server does: actions have slots of their own. */
export async function countRunningOn(db: Kysely<Tables>, serverId: number): Promise<number> {
  const row = await db
    .selectFrom('tasks as t')
    .innerJoin('environments as e', 'e.id', 't.environment_id')
    .where('t.status', '=', 'running')
    .where(whereKind('t', 'locksEnvironment'))
    .where('e.server_id', '=', serverId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Actions and one-off commands go on where they began when their environment moves to another server. */
export async function isRunningOn(db: Kysely<Tables>, serverId: number): Promise<boolean> {
  const query = db.selectFrom('tasks').where('status', '=', 'running').where('server_id', '=', serverId)
  return (await query.select('id').executeTakeFirst()) !== undefined
}

async function noteTurn(db: Kysely<Tables>, taskId: number): Promise<void> {
  await sql`insert into runner_turns (organization_id, taken_at)
    select p.organization_id, ${databaseTime(db)} from tasks t
    join environments e on e.id = t.environment_id join projects p on p.id = e.project_id where t.id = ${taskId}
    on conflict (organization_id) do update set taken_at = excluded.taken_at`.execute(db)
}

/** Only one organization has projects. */
const IS_ALONE = sql`(select min(organization_id) from projects) = (select max(organization_id) from projects)`

const isPostgres = (db: Kysely<Tables>): boolean => db.getExecutor().adapter instanceof PostgresAdapter
