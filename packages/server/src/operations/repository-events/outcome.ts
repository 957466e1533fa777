// The outcome of an event of a git host.
import type { EventReason } from '../../domain/repository/repository-event.ts'

export type EventOutcome = {
  readonly isAccepted: boolean
  /** Why it had no effect, or why nothing is deployed yet. */
  readonly reason: EventReason | null
  /** The reason as a sentence, where a rule about pull requests decided. */
  readonly detail?: string | null
  /** Which environment it was about; of several, the first. */
  readonly environmentId?: number | null
}

export const accepted = (reason: EventReason | null = null): EventOutcome => ({ isAccepted: true, reason })
export const ignored = (reason: EventReason): EventOutcome => ({ isAccepted: false, reason })

/** Of several, anything that was done counts; else the one reason, where all have the same. */
export function outcomeOf(outcomes: readonly EventOutcome[]): EventOutcome {
  const done = outcomes.find(({ isAccepted }) => isAccepted)
  if (done) return done
  const [reason, ...others] = new Set(outcomes.map((outcome) => outcome.reason))
  const environmentId = outcomes.find((outcome) => outcome.environmentId != null)?.environmentId ?? null
  if (!reason || others.length > 0) return { ...ignored('nothing_new'), environmentId }
  return { ...ignored(reason), detail: outcomes[0]?.detail ?? null, environmentId }
}
