// What is looked after on servers, one kind of thing at a time, as the pace of all looks sees it.
import type { ServerAddress } from '../../../domain/server-address.ts'
import { ConnectionLost, type Host, ServerUnreachable } from '../../../remote/host.ts'

export type At = {
  readonly server: ServerAddress
  /** Ends with the platform, and whatever it runs. */
  host(): Host
  readonly signal: AbortSignal
}

export type JobDefinition = {
  /** For the log, where a look fails for another reason than that the server is out of reach. */
  readonly trouble: string
  readonly over?: string
  /** Between two looks at one server that went well. */
  readonly everyMs: number
  /** Before the first. */
  readonly firstMs?: number
  /** After a look that failed; then twice as long each time. */
  readonly retryMs: number
  /** Servers at once. */
  readonly atOnce: number
  /** What people wait to see: when it is due it begins at once, and takes no place from the others. */
  readonly isPrompt?: boolean
  /** Those that there is something to look after on, asked again every `listMs`. */
  readonly list: () => Promise<readonly ServerAddress[]>
  readonly listMs: number
  /** Whether the records ask for a look now. */
  readonly isDue?: (server: ServerAddress) => Promise<boolean>
  readonly run: (at: At) => Promise<void>
}

/** One thing to do on one server, now or later. */
export type Job = {
  readonly kind: Pick<JobDefinition, 'atOnce' | 'isPrompt'>
  server: ServerAddress
  /** When its time comes by itself; never where nobody has started that. */
  dueAt: number
  /** After a failure of its own. */
  pausedUntil: number
  /** Somebody has asked for it. */
  isWanted: boolean
  run(at: At): Promise<void>
  end(failure?: Failure): void
}

export type Failure = { readonly error: unknown; readonly isOutOfReach: boolean }

export const isOutOfReach = (error: unknown): boolean =>
  error instanceof ServerUnreachable || error instanceof ConnectionLost
