// Prints the result of a command, for people or as JSON, and messages beside it.
import type { Context } from './context.ts'
import { escapeInvisible } from './terminal/sanitize.ts'

type ReportContext = Pick<Context, 'flags' | 'out' | 'err'>

/** Prints the result on standard output, as JSON or as `lines`. */
export function report(ctx: ReportContext, value: unknown, lines: () => readonly string[]): void {
  if (ctx.flags.json) ctx.out.writeRaw(`${safeJson(value)}\n`)
  else for (const line of lines()) ctx.out.print(line)
}

/** Prints messages for people on standard error; nothing with --json. */
export function say(ctx: Pick<Context, 'flags' | 'err'>, ...lines: readonly string[]): void {
  if (!ctx.flags.json) for (const line of lines) ctx.err.print(line)
}

/** JSON with every control character escaped. */
export const safeJson = (value: unknown): string => escapeInvisible(JSON.stringify(value))
