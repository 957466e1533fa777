/**
 * Which state a pull request is in after one more event. Events arrive in any order and more than once.
 *
 * The git host's time decides: an event older than the known state is outdated. Times are often in whole seconds, so
 * closings and reopenings of the same moment are counted against each other. An open pull request is closed after closed, closed,
 * reopened, in whichever order these three arrive, and open after closed, reopened. An event without a time is the newest.
 * What was merged stays merged.
 *
 * Events of a git host come in any order. The git host's time decides; a close and a reopen of the same moment are counted against each other.
 */
import { leavesOpen, type PullRequestAction } from './repository-event.ts'

type State = 'open' | 'closed' | 'merged'

export type KnownState = {
  readonly state: State
  /** By the clock of the git host. */
  readonly hostUpdatedAt: number
  /** Number of closings minus reopenings with exactly that time. */
  readonly closings: number
}

type PullRequestEvent = {
  readonly action: PullRequestAction
  readonly updatedAt: number | null
  /** The current state by the git host, not an event of the past. */
  readonly isCurrent?: boolean | undefined
  /** The same event arrived before and was counted. */
  readonly isSentAgain?: boolean | undefined
}

export type NextState = KnownState & {
  /** Whether the event changes anything else. */
  readonly isNew: boolean
}

export function nextState(event: PullRequestEvent, known: KnownState | undefined): NextState {
  const { action, updatedAt, isCurrent = false, isSentAgain = false } = event
  if (!known)
    return { state: stateOf(action), hostUpdatedAt: updatedAt ?? 0, closings: firstCount(action), isNew: true }
  const at = updatedAt ?? known.hostUpdatedAt
  if (at < known.hostUpdatedAt || known.state === 'merged') return { ...known, isNew: false }
  if (action === 'merged') return { state: 'merged', hostUpdatedAt: at, closings: 0, isNew: true }
  if (updatedAt === null || isCurrent || at > known.hostUpdatedAt) {
    return { state: stateOf(action), hostUpdatedAt: at, closings: firstCount(action, known.state), isNew: true }
  }
  if (isSentAgain) return { ...known, isNew: known.state === stateOf(action) }
  const closings = known.closings + weightOf(action)
  if (weightOf(action) === 0) return { ...known, isNew: known.state === 'open' }
  const state = closings > 0 ? 'closed' : 'open'
  return { state, hostUpdatedAt: at, closings, isNew: state === stateOf(action) }
}

const stateOf = (action: PullRequestAction): State =>
  action === 'merged' ? 'merged' : leavesOpen(action) ? 'open' : 'closed'

const weightOf = (action: PullRequestAction): number => (action === 'closed' ? 1 : action === 'reopened' ? -1 : 0)

/** Closed twice means that a reopening in between is still on its way, and the other way round. */
function firstCount(action: PullRequestAction, before?: State): number {
  const weight = weightOf(action)
  if (before === 'closed' && weight > 0) return 2
  if (before === 'open' && weight < 0) return -1
  return Math.max(weight, 0)
}
