// `shipway envs remove`: removes an environment, always by name and never guessed from the branch.
import { command, PROJECT_FLAGS } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findTarget, type Target } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { verdict } from '../tasks/failure-report.ts'
import { waitForTask } from '../tasks/wait-for-task.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'

export const envsRemove = command({
  words: [{ name: 'environment', description: 'its name or id' }],
  flags: {
    ...PROJECT_FLAGS,
    yes: { short: 'y', description: 'do not ask; required without a terminal' },
    wait: { short: 'w', description: 'wait until it is removed; exit code 3 if the removal fails' },
  },
  notes: 'Deletes its containers, volumes and files.',
  examples: [
    ['shipway envs remove demo -p bookshop', 'Asks first'],
    ['shipway envs remove demo -p bookshop --yes --wait', 'For a script'],
  ],
  run: async (ctx, { words: [name], flags }) => {
    const target = await findTarget(ctx, { project: flags.project, environment: name })
    if (!flags.yes) await confirmRemoval(ctx, target)
    const client = await ctx.client()
    const task = await client.deleteEnvironment({ params: { id: target.environment.id } })
    const title = targetTitle(target)
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
  },
})

async function confirmRemoval(ctx: Context, target: Target): Promise<void> {
  if (!canAsk(ctx)) throw UsageError(`${targetTitle(target)} would be removed with its data`, 'Confirm with --yes')
  const isConfirmed = await askYesNo(ctx, `Remove ${targetTitle(target)} with its containers, volumes and files?`)
  if (!isConfirmed) throw new CommandError('Nothing was removed', { code: 'not_confirmed' })
}
