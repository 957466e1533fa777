// The task of a tool call, by its number.
import { z } from 'zod'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { undefinedIfNotFound } from '../target/not-found.ts'

export const TaskNumber = z.int().positive().describe('Number of the task')

/** For `.catch`: a task of another organization is not found either. */
export function taskNotFound(error: unknown): never {
  undefinedIfNotFound(error)
  throw new CommandError('There is no task with this number that you can see', {
    code: 'task_not_found',
    exitCode: EXIT.notFound,
  })
}
