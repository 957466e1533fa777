// Removes the output of tasks that ended more than `SHIPWAY_TASK_LOG_DAYS` ago. The tasks and their steps stay.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import {
  deleteSomeOutput,
  listTasksWithOldOutput,
  markOutputDeleted,
  markOutputExpired,
} from '../../store/tasks/output-retention.ts'

const DAY_MS = 86_400_000

export async function expireTaskLogs(ctx: Context, signal: AbortSignal): Promise<void> {
  const { taskLogDays: days } = ctx.config
  if (days === undefined) return
  let removed = 0
  while (!signal.aborted) {
    const ids = await listTasksWithOldOutput(ctx.db, ctx.clock() - days * DAY_MS)
    if (ids.length === 0) break
    await ctx.change(PLATFORM, (tx) => markOutputExpired(tx, ids, ctx.clock()))
    if (!(await deleteOutput(ctx, ids, signal))) break
    await ctx.change(PLATFORM, (tx) => markOutputDeleted(tx, ids))
    removed += ids.length
  }
  if (removed > 0) ctx.log.info({ tasks: removed, days }, 'removed the output of old tasks')
}

/** False if it was stopped before the end. */
async function deleteOutput(ctx: Context, ids: readonly number[], signal: AbortSignal): Promise<boolean> {
  for (const id of ids) {
    let isMore = true
    while (isMore) {
      if (signal.aborted) return false
      await yieldToRequests()
      isMore = await ctx.change(PLATFORM, (tx) => deleteSomeOutput(tx, id))
    }
  }
  return true
}
