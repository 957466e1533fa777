/**
 * Which state a pull request is in after one more event. Events arrive in any order and more than once.
 *
 * The git host's own time decides: what is older than what is known tells of an earlier state. Times are often in whole seconds, so
 * closings and reopenings of the same moment are counted against each other. One that was open is closed after closed, closed,
 * reopened, in whichever order these three arrive, and open after closed, reopened. An event without a time is the newest.
 * What was merged stays merged.
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
  /** It is so now, by the git host's own word, and no message of something past. */
  readonly isCurrent?: boolean | undefined
  /** The very same message came before, and was counted. */
  readonly isSentAgain?: boolean | undefined
}

export type Judgement = KnownState & {
  /** Whether the event changes anything else. */
  readonly isEvent: boolean
}

export function judge(told: PullRequestEvent, known: KnownState | undefined): Judgement {
  const { action, updatedAt, isCurrent = false, isSentAgain = false } = told
  if (!known)
    return { state: stateOf(action), hostUpdatedAt: updatedAt ?? 0, closings: firstCount(action), isEvent: true }
  const at = updatedAt ?? known.hostUpdatedAt
  if (at < known.hostUpdatedAt || known.state === 'merged') return { ...known, isEvent: false }
  if (action === 'merged') return { state: 'merged', hostUpdatedAt: at, closings: 0, isEvent: true }
  if (updatedAt === null || isCurrent || at > known.hostUpdatedAt) {
    return { state: stateOf(action), hostUpdatedAt: at, closings: firstCount(action, known.state), isEvent: true }
  }
  if (isSentAgain) return { ...known, isEvent: known.state === stateOf(action) }
  const closings = known.closings + weightOf(action)
  if (weightOf(action) === 0) return { ...known, isEvent: known.state === 'open' }
  const state = closings > 0 ? 'closed' : 'open'
  return { state, hostUpdatedAt: at, closings, isEvent: state === stateOf(action) }
}

const stateOf = (action: PullRequestAction): State =>
  action === 'merged' ? 'merged' : leavesOpen(action) ? 'open' : 'closed'

const weightOf = (action: PullRequestAction): number => (action === 'closed' ? 1 : action === 'reopened' ? -1 : 0)

/** What is closed already was reopened in between, and what is open already was closed: that other event is still on its way. */
function firstCount(action: PullRequestAction, before?: State): number {
  const weight = weightOf(action)
  if (before === 'closed' && weight > 0) return 2
  if (before === 'open' && weight < 0) return -1
  return Math.max(weight, 0)
}
