// Writes an export of the audit log to a file, which is complete or not there at all, or to a pipe.
import { chooseFile, openFile } from '../artifacts/file-target.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { report } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'

export async function writeExport(
  ctx: Context,
  body: ReadableStream<Uint8Array>,
  output: string | undefined,
): Promise<void> {
  if (output !== undefined && output !== '-') return writeFile(ctx, body, output)
  if (ctx.out.isTerminal) throw UsageError('An export needs a file or a pipe', 'Give a file: -o audit.csv')
  for await (const piece of body) {
    ctx.out.writeRaw(piece)
    await ctx.out.drained(ctx.signal)
  }
}

async function writeFile(ctx: Context, body: ReadableStream<Uint8Array>, output: string): Promise<void> {
  const file = await chooseFile(ctx.folder, output, 'audit')
  const target = await openFile(file)
  try {
    for await (const piece of body) await target.write(piece)
    await target.finish()
  } finally {
    await target.close()
  }
  report(ctx, { file }, () => [plainText(file)])
}
