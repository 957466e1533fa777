// The named points of deployments and removals at which a fault is made, as the records show that they are reached.
import { sql } from 'kysely'
import { comesTrue } from '../journey.ts'
import type { Platforms } from './platforms.ts'
import { REMOVAL_STEPS, STEPS } from './truth.ts'

export type Point = { readonly step: string; readonly state: 'begun' | 'ended' }

/** Its name in the repository of the docker recipe. */
export const RELEASE_COMMAND = 'Migrate'

const PROGRAM = [
  'Fetch source',
  'Read .service.yml',
  'Check domains',
  'Connect to the server',
  'Allocate ports',
  'Push the commit',
  'Check out',
  'Write variables',
  'One',
  'Two',
  'Three',
  'Switch routes',
  'Remove old releases',
] as const

/** Of a removal. Where nothing was ever deployed there is less to do. */
const REMOVAL = [
  'Connect to the server',
  'Find the release',
  'Read .service.yml',
  'Find ports',
  'Stop',
  'Stop more',
  'Remove routes',
  'Remove containers',
  'Remove files',
] as const

/** With one service and one release command. */
const DOCKER_PROGRAM = [
  'Fetch source',
  'Connect to the server',
  'Read .service.yml',
  'Check domains',
  'Find the compose file',
  'Allocate ports',
  'Push the commit',
  'Check out',
  'Write variables',
  'Check the compose file',
  'Build images',
  'Plan services',
  RELEASE_COMMAND,
  'Start web',
  'Wait for web',
  'Switch routes',
  'Remove the old version',
] as const

const DOCKER_REMOVAL = ['Connect to the server', 'Remove routes', 'Remove containers', 'Remove files'] as const

const pointsOf = (steps: readonly string[]): readonly Point[] =>
  steps.flatMap((step) => [
    { step, state: 'begun' as const },
    { step, state: 'ended' as const },
  ])

export type WorldPoints = {
  readonly deployment: readonly Point[]
  readonly removal: readonly Point[]
  /** Steps whose commands run as processes of the server itself. */
  readonly commands: readonly string[]
}

export const MANUAL_POINTS: WorldPoints = {
  deployment: pointsOf(PROGRAM),
  removal: pointsOf(REMOVAL),
  commands: [...STEPS, ...REMOVAL_STEPS],
}

export const DOCKER_POINTS: WorldPoints = {
  deployment: pointsOf(DOCKER_PROGRAM),
  removal: pointsOf(DOCKER_REMOVAL),
  commands: ['Build images', RELEASE_COMMAND],
}

/** A task that does not come so far in this time is stuck. */
const MOST_SECONDS = 120

/** Waits until so many of the tasks are there; false where they ended before, or do not come so far. */
export async function reach(
  db: Platforms['db'],
  tasks: readonly number[],
  at: Point & { readonly by: number },
): Promise<boolean> {
  const ids = sql.join(tasks)
  const isThere = at.state === 'begun' ? sql`true` : sql`s.status <> 'running'`
  let open = 0
  const ask = async (): Promise<boolean> => {
    const { rows } = await sql<{ there: number; open: number }>`
      select (select count(*) from steps s where s.task_id in (${ids}) and s.name = ${at.step} and ${isThere}) as there,
        (select count(*) from tasks t where t.id in (${ids}) and t.finished_at is null) as open`.execute(db)
    open = Number(rows[0]?.open)
    return open === 0 || Number(rows[0]?.there) >= at.by
  }
  return (await comesTrue(ask, MOST_SECONDS)) && open > 0
}
