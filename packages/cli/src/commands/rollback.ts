// `shipway rollback`: deploys an earlier version again, from the images that are still on the server.
import type { Client, Task } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { say } from '../report.ts'
import { targetWords } from '../target/command-words.ts'
import { readId } from '../target/find-by-name.ts'
import { findTarget, type Target } from '../target/find-environment.ts'
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
    const task_id = wanted ?? (await findEarlier(client, target)).id
    say(ctx, `Going back to deployment ${task_id}`)
    const request = { params: { id: target.environment.id }, body: { task_id } }
    const send = (idempotencyKey: string) => client.rollBackEnvironment({ ...request, idempotencyKey })
    return runDeployment(ctx, { target, waiting, send })
  },
})

async function findEarlier(client: Client, target: Target): Promise<Task> {
  const { id, name } = target.environment
  const tasks = await client.listTasks({ params: { id }, query: { limit: 100 } })
  const [, earlier] = tasks.filter(({ kind, status }) => RELEASES.includes(kind) && status === 'succeeded')
  if (earlier) return earlier
  throw new CommandError(`${plainText(name)} has no earlier deployment to go back to`, {
    code: 'no_earlier_deployment',
    exitCode: EXIT.notFound,
    advice: [`List its tasks: shipway tasks list ${targetWords(target)}`],
  })
}

const RELEASES: readonly string[] = ['deploy', 'reset']
