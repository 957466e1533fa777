// Finds the deployment that a rollback goes back to unless another one is named: the one before the live one.
import type { Client, Task } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { targetWords } from '../target/command-words.ts'
import type { Target } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'

export async function findEarlierDeployment(client: Client, target: Target): Promise<Task> {
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
