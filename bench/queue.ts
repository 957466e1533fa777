// How long it takes to take a task from a queue that many organizations share, beside a million tasks that have ended and beside none.
import { sql } from 'kysely'
import { PLATFORM } from '../packages/server/src/domain/people/actor.ts'
import { type Database, openDatabase } from '../packages/server/src/store/database.ts'
import { takeTask } from '../packages/server/src/store/tasks/task-queue.ts'
import { quietChanges } from '../packages/server/test/quiet-changes.ts'
import { type DatabaseName, makeDatabase } from '../tools/platform.ts'
import { fill } from './fill.ts'
import { median, type Verdict } from './verdict.ts'

const ORGANIZATIONS = 50
const QUEUED = 2000
const TAKEN = 200
const SIZE = { projects: 1000, environments: 20_000 }
const LIMITS = { worker: 'bench', mostInAll: 20, mostPerServer: 1_000_000 }

export async function benchQueue(name: DatabaseName): Promise<readonly Verdict[]> {
  const years = await timesToTake(name, 1_000_000)
  const empty = await timesToTake(name, 0)
  const detail = `${QUEUED} queued of ${ORGANIZATIONS} organizations, median of ${TAKEN}: ${years.toFixed(2)}/${empty.toFixed(2)} ms`
  const what = `time to take a task, 1,000,000 tasks against none (${name})`
  return [{ what, figure: years / empty, atMost: 2, detail }]
}

async function timesToTake(name: DatabaseName, tasks: number): Promise<number> {
  const { address, remove } = await makeDatabase(name, async (database) => {
    await fill(database, { ...SIZE, tasks })
    await shareOut(database)
  })
  const database = await openDatabase(address)
  const change = quietChanges(database.db)
  const times: number[] = []
  for (let count = 0; count < TAKEN; count++) {
    const start = performance.now()
    const taken = await change(PLATFORM, (tx) => takeTask(tx, LIMITS))
    times.push(performance.now() - start)
    if (!taken) throw new Error('There is nothing left to take')
    // As many run as may, but for the one place that is taken next.
    if (count >= LIMITS.mostInAll - 1)
      await sql`update tasks set status = 'failed', finished_at = 1
        where id = (select min(id) from tasks where status = 'running')`.execute(database.db)
  }
  await database.close()
  await remove()
  return median(times)
}

/** Projects and what waits belong to many organizations. */
async function shareOut({ db }: Database): Promise<void> {
  const many = sql.lit(ORGANIZATIONS)
  await sql`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${many})
    insert into organizations (id, name, created_at) select i, 'Organization ' || i, 1 from n`.execute(db)
  await sql`update projects set organization_id = (id % ${many}) + 1`.execute(db)
  await sql`insert into tasks (environment_id, kind, status, cause, created_at)
    select id, 'deploy', 'queued', 'push', 1 from environments where id <= ${QUEUED}`.execute(db)
  await sql`analyze`.execute(db)
}
