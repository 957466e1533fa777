// Sets when each schedule of an environment runs next, after a deployment or a change of its settings.
import type { Kysely } from 'kysely'
import { nextRunOf, runsIn } from '../../domain/schedules/schedule.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'
import { listSchedules, updateNextRun } from './schedules.ts'

/** Moments that passed while a schedule was off are not made up for. */
export async function applySchedules(tx: Change, environmentId: number, now: number): Promise<void> {
  const place = await findEnvironment(tx, environmentId)
  for (const schedule of await listSchedules(tx, environmentId)) {
    const nextAt = runsIn(schedule, place) ? nextRunOf(schedule, now) : null
    if (nextAt !== schedule.nextRunAt) await updateNextRun(tx, { environmentId, name: schedule.name, nextAt })
  }
}

async function findEnvironment(db: Kysely<Tables>, id: number) {
  const { name, type, schedules } = await db
    .selectFrom('environments')
    .where('id', '=', id)
    .select(['name', 'type', 'schedules'])
    .executeTakeFirstOrThrow()
  return { name, type, schedules: schedules === null ? null : schedules === 1 }
}
