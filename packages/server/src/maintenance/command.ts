// A command of `shipway-server`: its usage, and the work that it does with the settings of the platform.
import type { Config } from '../config.ts'

export const EXIT = { done: 0, failed: 1, usage: 2 } as const

export type Io = {
  readonly config: Config
  /** Prints a line of the result (stdout). */
  say(line: string): void
  /** Prints a line for the person at the terminal (stderr). */
  note(line: string): void
  /** All of the standard input. */
  readInput(): Promise<string>
  readonly clock: () => number
}

export type Flags = Readonly<Record<string, boolean>>

export type Command = {
  /** With its arguments: `backup <file>`; `[word]` is optional. */
  readonly usage: string
  readonly summary: string
  /** Flags take no value, so that no secret appears in the arguments of a process. */
  readonly flags?: Readonly<Record<string, string>>
  readonly examples: readonly string[]
  /** Returns the exit code. */
  run(io: Io, words: readonly string[], flags: Flags): Promise<number>
}
