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
import { insertOrUpdateTaskSecrets, listTaskSecrets, type TaskSecret } from '../store/environments/task-secrets.ts'
import type { OwnedVariable } from '../store/environments/variables.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { openVariable } from './load-variables.ts'

export async function recordTaskSecrets(
  ctx: Context,
  { id: taskId, kind, environment }: Pick<TaskToRun, 'id' | 'kind' | 'environment'>,
  received: readonly OwnedVariable[],
): Promise<readonly Secret[]> {
  const earlier = await listTaskSecrets(ctx.db, environment.id)
  // A removal passes no values.
  if (received.length > 0 && !TASK_KINDS[kind].removesEnvironment) {
    const texts = new Set(received.map(({ valueSealed }) => valueSealed))
    const known = new Set(earlier.map(({ valueSealed }) => valueSealed))
    await ctx.change(PLATFORM, (tx) =>
      insertOrUpdateTaskSecrets(tx, {
        environmentId: environment.id,
        taskId,
        again: earlier.filter(({ valueSealed }) => texts.has(valueSealed)).map(({ id }) => id),
        fresh: received.filter(({ valueSealed }) => !known.has(valueSealed)),
      }),
    )
  }
  return openTaskSecrets(ctx, earlier)
}

export function openTaskSecrets(ctx: Context, values: readonly TaskSecret[]): readonly Secret[] {
  return values.flatMap((value) => {
    const opened = openVariable(ctx, value)
    // A value that cannot be decrypted cannot be masked.
    return opened instanceof CannotOpen ? [] : [opened]
  })
}
