// What must hold for every task after whatever happened, each broken rule as a sentence.
import { sql } from 'kysely'
import { comesTrue } from '../journey.ts'
import { listServerProcesses } from './server-processes.ts'
import type { World } from './world.ts'

export type Ended = { readonly status: string; readonly finished_at: number | null }

export async function findViolations(world: World, tasks: ReadonlyMap<number, Ended>): Promise<readonly string[]> {
  const violations = [...(await findOrphans(world)), ...(await world.findLeft())]
  for (const [task, first] of tasks) {
    const found = [...(await findInRecords(world, task, first)), ...(await world.findUntruths(task))]
    violations.push(...found.map((sentence) => `task ${task}: ${sentence}`))
  }
  for (const id of world.environments) {
    const { locked } = await world.client.getEnvironment({ params: { id } })
    if (locked) violations.push(`environment ${id} is still locked`)
    violations.push(...(await findInRoutes(world, id)))
  }
  return violations
}

/** What serves is the newest deployment that says it succeeded, and nothing else. */
async function findInRoutes({ platforms: { db } }: World, environment: number): Promise<string[]> {
  const { rows: served } = await sql<{ task_id: number }>`
    select distinct r.task_id from routes r join domains d on d.domain = r.domain
    where d.environment_id = ${environment}`.execute(db)
  const { rows: newest } = await sql<{ id: number }>`
    select id from tasks where environment_id = ${environment} and kind = 'deploy' and status = 'succeeded'
    order by id desc limit 1`.execute(db)
  const [serves, says] = [served.map((row) => row.task_id).join(), newest.map((row) => row.id).join()]
  return serves === says
    ? []
    : [`environment ${environment} serves task ${serves || 'none'}, and says ${says || 'none'}`]
}

/** A runner that has just written its exit code needs a moment to end. */
export async function findOrphans({ home }: World): Promise<string[]> {
  if (await comesTrue(async () => listServerProcesses(home).length === 0)) return []
  return listServerProcesses(home).map(({ cwd, words }) => `a process is left in ${cwd}: ${words}`)
}

export async function findInRecords({ platforms: { db } }: World, task: number, first: Ended): Promise<string[]> {
  const row = await db
    .selectFrom('tasks')
    .where('id', '=', task)
    .select(['status', 'finished_at'])
    .executeTakeFirstOrThrow()
  const steps = await db.selectFrom('steps').where('task_id', '=', task).select(['name', 'status']).execute()
  const names = steps.map(({ name }) => name)
  // A start may be tried on several ports, one after the other.
  const doubled = names.filter((name, index) => names.indexOf(name) !== index && !name.endsWith(' on another port'))
  return [
    ...(row.status === first.status && row.finished_at === first.finished_at ? [] : ['it ended more than once']),
    ...steps.filter(({ status }) => status === 'running').map(({ name }) => `its step ${name} is left running`),
    ...doubled.map((name) => `its step ${name} stands in the records twice`),
  ]
}
