// The end of a world: everything is deployed once more in peace, what was left over is gone, and then all of it is removed.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { comesTrue } from '../journey.ts'
import { type Ended, findInRecords, findOrphans } from './invariants.ts'
import { type RoundResult, runRound, type Strike, strikeAt } from './round.ts'
import { REMOVAL_STEPS, type StepTruth } from './truth.ts'
import type { World } from './world.ts'

/** A deployment after all the faults is one like any other, and takes away what they have left. */
export async function runCalmRound(world: World): Promise<RoundResult> {
  const forget = [world.struck, world.interrupted, world.canceled]
  for (const tasks of forget) tasks.clear()
  const result = await runRound(world, [])
  return { ...result, violations: [...result.violations, ...(await findUndeleted(world))] }
}

/** The platform looks every fifteen seconds. */
const REMAINS_SECONDS = 40

async function findUndeleted(world: World): Promise<readonly string[]> {
  const found: string[] = []
  for (const environment of world.environments) {
    const { rows } = await sql<{ id: number }>`
      select id from tasks where environment_id = ${environment} and kind = 'deploy' and status = 'succeeded'
      order by id desc limit 3`.execute(world.platforms.db)
    const kept = rows.map(({ id }) => String(id)).sort()
    const folder = folderOf(world, environment)
    const [releases, tasks] = [join(folder, 'releases'), join(folder, 'tasks')]
    const isTidy = async () => namesIn(releases).join() === kept.join() && namesIn(tasks).length === 0
    if (await comesTrue(isTidy, REMAINS_SECONDS)) continue
    found.push(
      `environment ${environment} has ${[...namesIn(releases), ...namesIn(tasks)]} left over, and needs ${kept}`,
    )
  }
  return found
}

/** Removes every environment. One whose removal a fault made fail is removed once more, in peace. */
export async function runRemoval(world: World, strikes: readonly Strike[]): Promise<RoundResult> {
  const live = await findLive(world)
  const first = await removeAll(world, world.environments, { strikes, live })
  const left = await listLeft(world)
  if (left.length === 0) return first
  const second = await removeAll(world, left, { strikes: [], live })
  return {
    ...second,
    struck: first.struck,
    runs: first.runs + second.runs,
    recoveryMs: [...first.recoveryMs, ...second.recoveryMs],
    violations: [
      ...first.violations,
      ...second.violations,
      ...(await listLeft(world)).map((id) => `environment ${id} cannot be removed`),
    ],
  }
}

type Removal = { readonly strikes: readonly Strike[]; readonly live: ReadonlyMap<number, number> }

async function removeAll(
  world: World,
  environments: readonly number[],
  { strikes, live }: Removal,
): Promise<RoundResult> {
  const { client } = world
  const tasks = await Promise.all(environments.map((id) => client.deleteEnvironment({ params: { id } })))
  const before = new Map([...live.values()].map((task) => [task, world.readDestroyTruth(task)]))
  return strikeAt(
    world,
    tasks.map(({ id }) => id),
    {
      strikes,
      check: async (ends) => {
        const violations = [...(await findOrphans(world)), ...(await world.findLeft())]
        for (const { id, environment_id: environment } of tasks) {
          const end = ends.get(id)
          if (end) violations.push(...(await checkRemoval(world, { id, environment, end, live, before })))
        }
        return violations
      },
    },
  )
}

type Checked = {
  readonly id: number
  readonly environment: number
  readonly end: Ended
  readonly live: ReadonlyMap<number, number>
  readonly before: ReadonlyMap<number, readonly StepTruth[]>
}

async function checkRemoval(world: World, { id, environment, end, live, before }: Checked): Promise<readonly string[]> {
  const deployed = live.get(environment)
  const truth = deployed === undefined ? [] : world.readDestroyTruth(deployed)
  const begun = truth.map((step, index) => step.begun - (before.get(deployed ?? 0)?.[index]?.begun ?? 0))
  const mayFail = [id, deployed ?? 0].some((task) => world.struck.has(task) || world.interrupted.has(task))
  const mayEnd =
    end.status === 'succeeded' ||
    (end.status === 'canceled' && world.canceled.has(id)) ||
    (end.status === 'failed' && mayFail)
  const faults = [
    ...(await findInRecords(world, id, end)),
    ...begun.flatMap((count, index) => (count > 1 ? [`${REMOVAL_STEPS[index]} ran ${count} times`] : [])),
    ...(mayEnd ? [] : [`it says ${end.status}; in truth ${JSON.stringify(truth)}`]),
    ...(end.status === 'succeeded'
      ? await findAfterRemoval(
          world,
          environment,
          truth.map(({ codes }) => codes.at(-1)),
        )
      : []),
  ]
  return faults.map((sentence) => `removal ${id} of environment ${environment}: ${sentence}`)
}

async function findAfterRemoval(
  world: World,
  environment: number,
  codes: readonly (number | undefined)[],
): Promise<readonly string[]> {
  const { rows } = await sql`select domain from domains where environment_id = ${environment}`.execute(
    world.platforms.db,
  )
  // Whatever a process that was stopped has made again meanwhile goes with the next look of the platform.
  const isGone = await comesTrue(async () => !existsSync(folderOf(world, environment)), REMAINS_SECONDS)
  return [
    ...(codes.every((code) => code === 0) ? [] : [`its destroy tasks ended with ${codes}`]),
    ...(rows.length === 0 ? [] : ['its domains are left']),
    ...(isGone ? [] : ['its folder is left on the server']),
  ]
}

/** The deployment that serves, by environment. */
async function findLive({ platforms, environments }: World): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ environment_id: number; id: number }>`
    select environment_id, max(id) as id from tasks
    where environment_id in (${sql.join(environments)}) and kind = 'deploy' and status = 'succeeded'
    group by environment_id`.execute(platforms.db)
  return new Map(rows.map((row) => [row.environment_id, row.id]))
}

async function listLeft({ platforms, environments }: World): Promise<readonly number[]> {
  const rows = await platforms.db
    .selectFrom('environments')
    .where('id', 'in', environments)
    .where('removed_at', 'is', null)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

function folderOf({ home }: World, environment: number): string {
  const [installation = ''] = namesIn(join(home, '.shipway'))
  return join(home, '.shipway', installation, 'environments', String(environment))
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])
