// The end of what the failed step of a task printed, out of the store.
import type { Context } from '../../context.ts'
import { type OutputTail, outputTail, TAIL_BYTES } from '../../domain/tasks/output-tail.ts'
import { findFailedOutput, findLineCount, listOutput } from '../../store/tasks/outputs.ts'

export async function readFailedOutput(ctx: Pick<Context, 'db'>, taskId: number): Promise<OutputTail | undefined> {
  const range = await findFailedOutput(ctx.db, taskId)
  if (!range) return undefined
  const from = Math.max(range.from, range.to - TAIL_BYTES)
  const bytes = await listOutput(ctx.db, taskId, { from, most: range.to - from })
  const totalLines = await findLineCount(ctx.db, taskId, range)
  return outputTail(bytes, { totalLines, isWhole: from === range.from })
}
