// What a command of `shipway-server` is: words that say it, and work that is done with the settings of the platform.
import type { Config } from '../config.ts'

export const EXIT = { done: 0, failed: 1, usage: 2 } as const

export type Io = {
  readonly config: Config
  /** A line of the result. */
  say(line: string): void
  /** A line for whoever looks on. */
  note(line: string): void
  /** All of the standard input. */
  readInput(): Promise<string>
  readonly clock: () => number
}

export type Flags = Readonly<Record<string, boolean>>

export type Command = {
  /** As it is written, with its arguments: `backup <file>`; `[word]` may be left out. */
  readonly usage: string
  readonly summary: string
  /** Each takes no value: nothing secret stands in the words of a process. */
  readonly flags?: Readonly<Record<string, string>>
  readonly examples: readonly string[]
  /** Gives the exit code. */
  run(io: Io, words: readonly string[], flags: Flags): Promise<number>
}
