// `shipway cancel`: cancels a task that is queued or running.
import { command, TARGET_FLAGS } from '../command.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { findTask } from '../tasks/find-task.ts'

export const cancel = command({
  words: [{ name: '[task]', description: 'its number (default: the one that the environment runs or waits for)' }],
  flags: TARGET_FLAGS,
  notes: 'What serves goes on serving. A deployment that has switched its routes can no longer be canceled.',
  examples: [
    ['shipway cancel -e staging', 'Cancel the deployment of staging'],
    ['shipway cancel 1487', 'Cancel task 1487'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const id = text === undefined ? await findActive(ctx, flags) : (await findTask(ctx, text, flags)).id
    const task = await (await ctx.client()).cancelTask({ params: { id } })
    report(ctx, task, () => [task.status === 'canceled' ? `Task ${id} is canceled` : `Task ${id} was asked to stop`])
    if (task.status !== 'canceled') say(ctx, `Watch it end: shipway tasks log ${id} -f`)
    return EXIT.done
  },
})

async function findActive(ctx: Context, flags: TargetFlags): Promise<number> {
  const target = await findTarget(ctx, flags)
  const { active_task } = await (await ctx.client()).getEnvironment({ params: { id: target.environment.id } })
  if (active_task) return active_task.id
  throw new CommandError(`Nothing is queued or running for ${targetTitle(target)}`, {
    code: 'task_not_found',
    exitCode: EXIT.notFound,
  })
}
