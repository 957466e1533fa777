// `shipway reset`: removes an environment with its volumes and deploys it again. Always by name, never guessed from the branch.
import { command, PROJECT_FLAGS, YES_FLAG } from '../command.ts'
import { findTarget } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { readWaiting, runDeployment, WAIT_FLAGS } from '../tasks/run-deployment.ts'
import { confirm } from '../terminal/confirm.ts'

export const reset = command({
  words: [{ name: 'environment', description: 'its name or id' }],
  flags: {
    ...PROJECT_FLAGS,
    ...YES_FLAG,
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
    await confirm(ctx, flags, {
      consequence: `${targetTitle(target)} would lose its data`,
      question: `Delete all data of ${targetTitle(target)} and deploy it again?`,
      refusal: 'Nothing was reset',
    })
    const client = await ctx.client()
    const params = { id: target.environment.id }
    const send = (idempotencyKey: string) => client.resetEnvironment({ params, idempotencyKey })
    return runDeployment(ctx, { target, waiting, send })
  },
})
