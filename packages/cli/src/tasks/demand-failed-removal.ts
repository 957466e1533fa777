// A server is given up only after a removal failed there: before, an environment can be removed from it.
import type { Client } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { shellWord } from '../target/command-words.ts'
import type { Target } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'

export async function demandFailedRemoval(client: Client, target: Target): Promise<void> {
  const { project, environment } = target
  const tasks = await client.listTasks({ params: { id: environment.id }, query: { limit: 100 } })
  const newest = tasks.find(({ kind }) => kind !== 'action' && kind !== 'run')
  if (newest?.kind === 'remove' && (newest.status === 'failed' || newest.status === 'canceled')) return
  throw new CommandError(`The newest task of ${targetTitle(target)} is not a failed removal`, {
    code: 'removal_not_failed',
    advice: [
      `Remove it first: shipway envs remove ${shellWord(environment.name)} -p ${shellWord(project.name)} --wait`,
    ],
  })
}
