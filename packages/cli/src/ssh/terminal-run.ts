// A one-off command that is to run with this terminal or its pipes.
import type { Context } from '../context.ts'
import type { Target } from '../target/find-environment.ts'

export type TerminalRun = {
  readonly target: Target
  readonly words: readonly string[]
  readonly service: string | undefined
}

/** A terminal would change what goes through a pipe. */
export const hasTerminal = (ctx: Context): boolean => ctx.stdin.isTTY === true && ctx.out.isTerminal
