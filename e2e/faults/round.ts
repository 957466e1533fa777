// One round: every environment deploys at once, faults strike at their points, and whatever must hold is checked.
import { comesTrue } from '../journey.ts'
import { type FaultName, faults } from './faults.ts'
import { type Ended, findViolations } from './invariants.ts'
import { type Point, reach } from './points.ts'
import type { World } from './world.ts'

/** `by`: how many of the tasks must have come to the point. */
export type Strike = Point & { readonly fault: FaultName; readonly by: number }

export type RoundResult = {
  readonly runs: number
  /** Those that met tasks which had not ended. */
  readonly struck: readonly Strike[]
  /** From the last recovery to the end of each task that had not ended by then. */
  readonly recoveryMs: readonly number[]
  readonly violations: readonly string[]
}

const MOST_RECOVERY_SECONDS = 90

export async function runRound(world: World, strikes: readonly Strike[]): Promise<RoundResult> {
  const { client, environments } = world
  world.beginRound()
  const started = await Promise.all(environments.map((id) => client.startDeployment({ params: { id } })))
  const tasks = started.map(({ id }) => id)
  world.noteTasks(tasks)
  return strikeAt(world, tasks, { strikes, check: (ends) => findViolations(world, ends) })
}

type Plan = {
  readonly strikes: readonly Strike[]
  /** Called with the ends of all tasks, when all have ended. */
  check(ends: ReadonlyMap<number, Ended>): Promise<readonly string[]>
}

/** Strikes while these tasks run, and waits for their ends. */
export async function strikeAt(world: World, tasks: readonly number[], { strikes, check }: Plan): Promise<RoundResult> {
  const { platforms } = world
  const firstEnds = new Map<number, Ended>()
  const struck: Strike[] = []
  let recoveredAt = Date.now()
  for (const strike of strikes) {
    if (!(await reach(platforms.db, tasks, strike))) continue
    await faults[strike.fault](world, tasks)
    struck.push(strike)
    recoveredAt = Date.now()
    await noteEnds(world, tasks, firstEnds)
  }
  const stuck = await awaitEnds(world, tasks, firstEnds)
  for (const node of platforms.nodes) await node.restart()
  const violations = stuck.length > 0 ? stuck : await check(firstEnds)
  const recoveryMs = [...firstEnds.values()].flatMap(({ finished_at: at }) =>
    at !== null && at > recoveredAt ? [at - recoveredAt] : [],
  )
  return { runs: tasks.length, struck, recoveryMs, violations }
}

/** Sentences about those that did not end in time. */
async function awaitEnds(world: World, tasks: readonly number[], ends: Map<number, Ended>): Promise<string[]> {
  const haveEnded = async (): Promise<boolean> => (await noteEnds(world, tasks, ends)) === tasks.length
  if (await comesTrue(haveEnded, MOST_RECOVERY_SECONDS)) return []
  const open = tasks.filter((task) => !ends.has(task))
  return Promise.all(open.map((task) => describeStuck(world, task)))
}

async function describeStuck({ platforms: { db } }: World, task: number): Promise<string> {
  const row = await db.selectFrom('tasks').where('id', '=', task).selectAll().executeTakeFirst()
  const steps = await db.selectFrom('steps').where('task_id', '=', task).select(['name', 'status']).execute()
  const at = steps.map(({ name, status }) => `${name} ${status}`).at(-1)
  return `task ${task} did not end within ${MOST_RECOVERY_SECONDS} s: ${row?.status}, epoch ${row?.epoch}, ${at}`
}

/** Remembers the first end that was seen of each, and gives how many have ended. */
async function noteEnds(
  { platforms: { db } }: World,
  tasks: readonly number[],
  ends: Map<number, Ended>,
): Promise<number> {
  const rows = await db
    .selectFrom('tasks')
    .where('id', 'in', tasks)
    .where('finished_at', 'is not', null)
    .select(['id', 'status', 'finished_at'])
    .execute()
  for (const { id, ...end } of rows) if (!ends.has(id)) ends.set(id, end)
  return rows.length
}
