// Writes a line of the platform at once, such as what the step waits for.
import type { Context } from '../context.ts'
import { appendOutput } from '../progress/progress.ts'
import { findOutputLength, listOutput } from '../store/tasks/outputs.ts'
import type { Lease } from '../store/tasks/task-queue.ts'

type Line = { readonly position: number; readonly line: string }

/**
 * Skipped if the output already ends with this line: a worker that takes the task over finds the same situation. Skipped also in the
 * middle of a line, whose rest is still on the server.
 */
export async function reportNow(ctx: Context, lease: Lease, { position, line }: Line): Promise<void> {
  const text = `\n${line}\n`
  const length = await findOutputLength(ctx.db, lease.taskId)
  const from = Math.max(0, length - Buffer.byteLength(text))
  const last = (await listOutput(ctx.db, lease.taskId, { from, most: length - from })).toString()
  if (last === text || !last.endsWith('\n')) return
  await appendOutput(ctx, lease, { position, bytes: Buffer.from(`${line}\n`) })
}
