// The run of an action that a command is about: by the number of its task, or the newest one of the environment.
import type { Task } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { findTask } from './find-task.ts'

export async function findActionRun(ctx: Context, text: string | undefined, flags: TargetFlags): Promise<Task> {
  if (text !== undefined && text !== 'latest') return findTask(ctx, text, flags)
  const { environment } = await findTarget(ctx, flags)
  const query = { kind: 'action', limit: 1 } as const
  const [newest] = await (await ctx.client()).listTasks({ params: { id: environment.id }, query })
  if (newest) return newest
  throw new CommandError(`No action has run in ${plainText(environment.name)} yet`, {
    code: 'task_not_found',
    exitCode: EXIT.notFound,
    advice: ['Run one: shipway actions run'],
  })
}
