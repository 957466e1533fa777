/**
 * Records which values a task gets, and returns those of earlier tasks of its environment. A value that was replaced or removed since the
 * last deployment is in no variable any more, but the running release still has it and an action may print it. Recorded before anything
 * reaches a server, and by every run of a task: a run that takes over may get other values than the first.
 */
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { TASK_KINDS } from '../domain/tasks/task.ts'
import { CannotOpen } from '../secrets/box.ts'
import type { Secret } from '../secrets/secret.ts'
import { type HandedValue, insertOrUpdateHandedValues, listHandedValues } from '../store/environments/handed-values.ts'
import type { OwnedVariable } from '../store/environments/variables.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { openVariable } from './load-variables.ts'

export async function recordHandedValues(
  ctx: Context,
  { id: taskId, kind, environment }: Pick<TaskToRun, 'id' | 'kind' | 'environment'>,
  handed: readonly OwnedVariable[],
): Promise<readonly Secret[]> {
  const earlier = await listHandedValues(ctx.db, environment.id)
  // A removal passes no values.
  if (handed.length > 0 && !TASK_KINDS[kind].removesEnvironment) {
    const texts = new Set(handed.map(({ valueSealed }) => valueSealed))
    const known = new Set(earlier.map(({ valueSealed }) => valueSealed))
    await ctx.change(PLATFORM, (tx) =>
      insertOrUpdateHandedValues(tx, {
        environmentId: environment.id,
        taskId,
        again: earlier.filter(({ valueSealed }) => texts.has(valueSealed)).map(({ id }) => id),
        fresh: handed.filter(({ valueSealed }) => !known.has(valueSealed)),
      }),
    )
  }
  return openHandedValues(ctx, earlier)
}

export function openHandedValues(ctx: Context, values: readonly HandedValue[]): readonly Secret[] {
  return values.flatMap((value) => {
    const opened = openVariable(ctx, value)
    // A value that cannot be decrypted cannot be masked.
    return opened instanceof CannotOpen ? [] : [opened]
  })
}
