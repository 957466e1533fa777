// What a caller asks of a terminal, and how it ends.
import type { TerminalSize } from '../terminal.ts'
import type { TerminalInput } from './terminal-input.ts'

export type TerminalOrder = {
  readonly environmentId: number
  readonly command: readonly string[]
  readonly service?: string | undefined
  /** Without it the command gets pipes. */
  readonly size?: TerminalSize | undefined
  /** Aborted to leave: the platform then ends the command. */
  readonly signal: AbortSignal
  /** Not called again before it has resolved. */
  onOutput(stream: 'stdout' | 'stderr', bytes: Uint8Array): void | Promise<void>
  /** The command runs. */
  onStart(input: TerminalInput): void
}

/** Where the connection ended before the command, the platform ends the command. */
export type TerminalEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'restart' | 'sign_in' | 'forbidden' | 'time_limit' | 'lost' | 'left'; readonly detail: string }
