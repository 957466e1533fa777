// What a command has to tell: its result for people or for scripts, and the sentences beside it.
import type { Context } from './context.ts'
import { escapeInvisible } from './terminal/sanitize.ts'

type ReportContext = Pick<Context, 'flags' | 'out' | 'err'>

/** The result, on standard output: as JSON, or as `lines` say it. */
export function report(ctx: ReportContext, value: unknown, lines: () => readonly string[]): void {
  if (ctx.flags.json) ctx.out.writeRaw(`${safeJson(value)}\n`)
  else for (const line of lines()) ctx.out.print(line)
}

/** A sentence for people beside the result, on standard error. */
export function say(ctx: Pick<Context, 'flags' | 'err'>, ...lines: readonly string[]): void {
  if (!ctx.flags.json) for (const line of lines) ctx.err.print(line)
}

/** The same data, with every character that a terminal could obey written as an escape of JSON. */
export const safeJson = (value: unknown): string => escapeInvisible(JSON.stringify(value))
