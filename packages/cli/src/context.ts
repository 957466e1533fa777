// The context that every command gets.
import type { Client } from '@shipway/api'
import type { Completion } from './completion-script.ts'
import type { Config } from './config.ts'
import type { Sink } from './terminal/sink.ts'

export type Context = {
  readonly config: Config
  readonly flags: GlobalFlags
  /** Results. */
  readonly out: Sink
  /** Everything else. With --json, only problems are printed here. */
  readonly err: Sink
  readonly stdin: NodeJS.ReadStream
  readonly folder: string
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /** The typed client, signed in; loaded when it is first asked for. */
  client(): Promise<Client>
  /** What a shell can complete; loads every command. */
  completions(): Promise<Completion[]>
  /** The guide for coding assistants; loads every command. */
  skill(): Promise<string>
}

/** Flags of every command. */
export type GlobalFlags = {
  readonly json?: boolean | undefined
  readonly url?: string | undefined
  readonly org?: string | undefined
  readonly debug?: boolean | undefined
}
