// Types of the jobs that the platform runs on servers by itself: a definition, and one job of it for each server.
import type { ServerAddress } from '../../../domain/server-address.ts'
import { ConnectionLost, type Host, ServerUnreachable } from '../../../remote/host.ts'

/** One run of a job on a server. */
export type JobRun = {
  readonly server: ServerAddress
  /** Commands on this host end when the platform stops. */
  host(): Host
  readonly signal: AbortSignal
}

export type JobDefinition = {
  /** Logged when a run fails for another reason than that the server is unreachable. */
  readonly failureMessage: string
  readonly recoveryMessage?: string
  /** Interval after a successful run, per server. */
  readonly everyMs: number
  readonly initialDelayMs?: number
  /** Delay after a failed run. It doubles with each further failure. */
  readonly retryMs: number
  /** Servers on which it may run at once. */
  readonly concurrency: number
  /** Users see its result: it starts as soon as it is due, and does not count against the limit of all jobs. */
  readonly isUrgent?: boolean
  /** Servers that need this job. Called every `listEveryMs`. */
  readonly list: () => Promise<readonly ServerAddress[]>
  readonly listEveryMs: number
  /** Whether the records ask for a run now. */
  readonly isDue?: (server: ServerAddress) => Promise<boolean>
  readonly run: (run: JobRun) => Promise<void>
}

/** One defined job on one server. */
export type Job = {
  readonly kind: Pick<JobDefinition, 'concurrency' | 'isUrgent'>
  server: ServerAddress
  /** Time of the next scheduled run; infinite before the definition is started. */
  dueAt: number
  /** Back-off after a failure of this job. */
  pausedUntil: number
  /** A caller asked for a run now. */
  isRequested: boolean
  run(run: JobRun): Promise<void>
  end(failure?: Failure): void
}

export type Failure = { readonly error: unknown; readonly isUnreachable: boolean }

export const isUnreachable = (error: unknown): boolean =>
  error instanceof ServerUnreachable || error instanceof ConnectionLost
