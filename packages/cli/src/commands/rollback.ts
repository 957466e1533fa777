// `shipway rollback`: deploys an earlier version again, from the images that are still on the server.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { say } from '../report.ts'
import { readId } from '../target/find-by-name.ts'
import { findTarget } from '../target/find-environment.ts'
import { findEarlierDeployment } from '../tasks/find-earlier-deployment.ts'
import { readWaiting, runDeployment, WAIT_FLAGS } from '../tasks/run-deployment.ts'
import { plainText } from '../terminal/sanitize.ts'

export const rollback = command({
  words: [{ name: '[task]', description: 'deployment to go back to (default: the one before the live one)' }],
  flags: { ...TARGET_FLAGS, ...WAIT_FLAGS },
  notes: 'One of the last three deployments that succeeded. Release commands run only if they say on_rollback: true.',
  examples: [
    ['shipway rollback -e staging --wait', 'Go back to the deployment before'],
    ['shipway rollback 1482 -e staging', 'Go back to deployment 1482'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const waiting = readWaiting(flags)
    const wanted = text === undefined ? undefined : readId(text)
    if (text !== undefined && wanted === undefined) throw UsageError(`${plainText(text)} is not a task number`)
    const target = await findTarget(ctx, flags)
    const client = await ctx.client()
    const task_id = wanted ?? (await findEarlierDeployment(client, target)).id
    say(ctx, `Going back to deployment ${task_id}`)
    const request = { params: { id: target.environment.id }, body: { task_id } }
    const send = (idempotencyKey: string) => client.rollBackEnvironment({ ...request, idempotencyKey })
    return runDeployment(ctx, { target, waiting, send })
  },
})
