// The named points of a deployment at which a fault is made, as the records show that they are reached.
import { sql } from 'kysely'
import { comesTrue } from '../journey.ts'
import type { Platforms } from './platforms.ts'

export type Point = { readonly step: string; readonly state: 'begun' | 'ended' }

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

const pointsOf = (steps: readonly string[]): readonly Point[] =>
  steps.flatMap((step) => [
    { step, state: 'begun' as const },
    { step, state: 'ended' as const },
  ])

export const POINTS = pointsOf(PROGRAM)
export const REMOVAL_POINTS = pointsOf(REMOVAL)

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
