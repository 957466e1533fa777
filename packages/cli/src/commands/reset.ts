// `shipway reset`: removes an environment with its volumes and deploys it again. Always by name, never guessed from the branch.
import { command, PROJECT_FLAGS } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { findTarget, type Target } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { readWaiting, runDeployment, WAIT_FLAGS } from '../tasks/run-deployment.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'

export const reset = command({
  words: [{ name: 'environment', description: 'its name or id' }],
  flags: {
    ...PROJECT_FLAGS,
    yes: { short: 'y', description: 'do not ask; required without a terminal' },
    ...WAIT_FLAGS,
  },
  notes: 'Deletes its containers, volumes and files, then deploys it. A protected environment cannot be reset.',
  examples: [
    ['shipway reset demo -p bookshop', 'Asks first'],
    ['shipway reset demo -p bookshop --yes --wait', 'For a script'],
  ],
  run: async (ctx, { words: [name], flags }) => {
    const waiting = readWaiting(flags)
    const target = await findTarget(ctx, { project: flags.project, environment: name })
    if (!flags.yes) await confirmReset(ctx, target)
    const client = await ctx.client()
    const params = { id: target.environment.id }
    const send = (idempotencyKey: string) => client.resetEnvironment({ params, idempotencyKey })
    return runDeployment(ctx, { target, waiting, send })
  },
})

async function confirmReset(ctx: Context, target: Target): Promise<void> {
  if (!canAsk(ctx)) throw UsageError(`${targetTitle(target)} would lose its data`, 'Confirm with --yes')
  const isConfirmed = await askYesNo(ctx, `Delete all data of ${targetTitle(target)} and deploy it again?`)
  if (!isConfirmed) throw new CommandError('Nothing was reset', { code: 'not_confirmed' })
}
