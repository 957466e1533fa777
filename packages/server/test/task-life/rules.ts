// The rules that hold whatever happens to tasks.
import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import { isFinal } from '../../src/domain/tasks/task.ts'
import type { Tables } from '../../src/store/tables/tables.ts'

export type TaskHistory = {
  readonly tasks: readonly Selectable<Tables['tasks']>[]
  readonly steps: readonly Selectable<Tables['steps']>[]
}

/** What holds between any two moments. */
export function checkHistory(before: TaskHistory, after: TaskHistory): void {
  for (const row of after.tasks) {
    mustBe(row.finished_at !== null, isFinal(row.status), 'finished_at is set exactly for final ones')
    const earlier = before.tasks.find(({ id }) => id === row.id)
    if (!earlier) continue
    must(row.epoch >= earlier.epoch, 'epochs only grow')
    must(row.output_bytes >= earlier.output_bytes, 'output only grows')
    if (earlier.started_at !== null) mustBe(row.started_at, earlier.started_at, 'started_at never changes')
    if (isFinal(earlier.status)) mustBe(row, earlier, 'a task that ended never changes')
  }
  for (const status of ['queued', 'running'] as const) {
    const places = after.tasks.filter((row) => row.status === status).map((row) => row.environment_id)
    mustBe(new Set(places).size, places.length, `at most one ${status} task an environment`)
  }
}

/** Made for being asked a million times: the matchers of the tests would take most of the time. */
export function must(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Error(`Broken: ${sentence}`)
}

export function mustBe(real: unknown, expected: unknown, sentence: string): void {
  if (isDeepStrictEqual(real, expected)) return
  throw new Error(`Broken: ${sentence}\nreal: ${JSON.stringify(real)}\nexpected: ${JSON.stringify(expected)}`)
}
