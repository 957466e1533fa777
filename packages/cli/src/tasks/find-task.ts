// Finds the task of a command: by its id, or the newest one of the environment.
import type { Task } from '@shipway/api'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { targetWords } from '../target/command-words.ts'
import { readId } from '../target/find-by-name.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { undefinedIfNotFound } from '../target/not-found.ts'
import { plainText } from '../terminal/sanitize.ts'

export async function findTask(ctx: Context, text: string | undefined, flags: TargetFlags): Promise<Task> {
  const client = await ctx.client()
  if (text === undefined) {
    const target = await findTarget(ctx, flags)
    const { environment } = target
    const [newest] = await client.listTasks({ params: { id: environment.id }, query: { limit: 1 } })
    if (newest) return client.getTask({ params: { id: newest.id } })
    throw NoTask(`${plainText(environment.name)} has no task yet`, `Deploy it: shipway deploy ${targetWords(target)}`)
  }
  const id = readId(text)
  if (id === undefined) throw UsageError(`${plainText(text)} is not a task number`, listTasks(flags))
  const task = await client.getTask({ params: { id } }).catch(undefinedIfNotFound)
  if (!task) throw NoTask(`There is no task ${id} that you can see`, listTasks(flags))
  return task
}

const listTasks = ({ project = 'PROJECT', environment = 'ENVIRONMENT' }: TargetFlags): string =>
  `List the tasks: shipway tasks list ${targetWords({ project: { name: project }, environment: { name: environment } })}`

const NoTask = (message: string, ...advice: string[]): CommandError =>
  new CommandError(message, { code: 'task_not_found', exitCode: EXIT.notFound, advice })
