// Removes an environment, and waits for the end if asked. Shared by `envs remove` and `down`.
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report, say } from '../report.ts'
import type { Target } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { confirm } from '../terminal/confirm.ts'
import { verdict } from './failure-report.ts'
import { waitForTask } from './wait-for-task.ts'

type RemovalFlags = { readonly yes: boolean; readonly wait: boolean }

export async function runRemoval(ctx: Context, target: Target, flags: RemovalFlags): Promise<ExitCode> {
  const title = targetTitle(target)
  await confirm(ctx, flags, {
    consequence: `${title} would be removed with its data`,
    question: `Remove ${title} with its containers, volumes and files?`,
    refusal: 'Nothing was removed',
  })
  const client = await ctx.client()
  const task = await client.deleteEnvironment({ params: { id: target.environment.id } })
  if (!flags.wait) {
    say(ctx, `${title} is being removed: task ${task.id}`)
    report(ctx, task, () => [task.url])
    return EXIT.done
  }
  const ended = await waitForTask(ctx, { task, title, timeoutMs: undefined })
  report(ctx, ended, () => [])
  if (ended.status !== 'succeeded') {
    throw new CommandError(verdict(ended), {
      code: `removal_${ended.status}`,
      exitCode: EXIT.deploymentFailed,
      advice: [`Log: shipway tasks log ${task.id}`],
    })
  }
  say(ctx, '', `${title} was removed.`)
  return EXIT.done
}
