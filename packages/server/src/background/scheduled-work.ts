// One piece of background work, as data: how often it runs, and which change events run it at once.
import type { ChangeEvent } from '../domain/change-event.ts'

export type ScheduledWork = {
  /** For the log, where a run fails. */
  readonly name: string
  readonly everyMs: number
  readonly work: (signal: AbortSignal) => Promise<void>
  readonly isWokenBy?: (event: ChangeEvent) => boolean
  /** It deploys or removes environments: after a restore it waits until an operator has checked the records. */
  readonly isPausedAfterRestore?: boolean
}
