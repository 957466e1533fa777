// A line of the platform's own that cannot wait for the end of its step: what the step itself waits for.
import type { Context } from '../context.ts'
import { appendOutput } from '../progress/progress.ts'
import { findOutputLength, listOutput } from '../store/tasks/outputs.ts'
import type { Lease } from '../store/tasks/task-queue.ts'

type Line = { readonly position: number; readonly line: string }

/**
 * Not again where the output ends with it: whoever takes the task over finds the server as the one before did, and has nothing
 * new to tell. Not in the middle of a line either, whose rest is still on the server: a log has its lines whole.
 */
export async function reportNow(ctx: Context, lease: Lease, { position, line }: Line): Promise<void> {
  const told = `\n${line}\n`
  const length = await findOutputLength(ctx.db, lease.taskId)
  const from = Math.max(0, length - Buffer.byteLength(told))
  const last = (await listOutput(ctx.db, lease.taskId, { from, most: length - from })).toString()
  if (last === told || !last.endsWith('\n')) return
  await appendOutput(ctx, lease, { position, bytes: Buffer.from(`${line}\n`) })
}
