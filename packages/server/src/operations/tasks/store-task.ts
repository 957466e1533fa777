// Stores a task: what the database refuses is logged with its cause, and the caller learns that there is no task.
import type { Context } from '../../context.ts'
import { AppError, TaskNotCreated } from '../../domain/errors.ts'

export async function storeTask<Result>(
  ctx: Pick<Context, 'log'>,
  work: () => Promise<Result>,
  failureMessage = 'could not store a task',
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') throw error
    ctx.log.error({ err: error }, failureMessage)
    throw TaskNotCreated(error)
  }
}
