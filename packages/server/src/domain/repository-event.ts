// What happened in a repository, in one language for every git host.
import { Branch } from '@shipway/api/values/branch'
import { safeText } from './safe-text.ts'

/** All zeros: git's word for no commit. */
export const NO_COMMIT = '0'.repeat(40)

export type Push = {
  readonly kind: 'push'
  readonly branch: string
  /** Where the branch stands now; `NO_COMMIT` where it was deleted. */
  readonly sha: string
  /** Where it stood before; `NO_COMMIT` where it is new. */
  readonly before: string
  readonly isDeleted: boolean
  readonly isForced: boolean
  /** Its newest commit asks not to be deployed. */
  readonly isSkipped: boolean
}

export type PullRequestAction = 'opened' | 'reopened' | 'updated' | 'retargeted' | 'closed' | 'merged'

export type PullRequestEvent = {
  readonly kind: 'pull_request'
  readonly action: PullRequestAction
  readonly pullRequest: PullRequestFacts
}

export type PullRequestFacts = {
  readonly number: number
  readonly title: string
  readonly url: string | null
  readonly author: string | null
  /** The branch that asks to be merged, in whichever repository it is. */
  readonly branch: string
  readonly headSha: string
  /** As the git host calls it; null where it is gone. */
  readonly headRepository: string | null
  /** True unless the git host says beyond doubt that both branches are in one repository. */
  readonly isFork: boolean
  readonly isDraft: boolean
  readonly targetBranch: string | null
  /** Milliseconds, by the clock of the git host. */
  readonly updatedAt: number
}

export type RepositoryEvent = Push | PullRequestEvent

/** Why a delivery came to nothing, or why it has not come to a deployment yet. Codes never change. */
export type EventReason =
  /** Of the delivery itself. */
  | 'malformed_body'
  | 'event_not_used'
  | 'action_not_used'
  | 'incomplete_payload'
  | 'invalid_ref'
  | 'invalid_commit'
  | 'invalid_number'
  | 'not_a_branch'
  | 'other_repository'
  /** Of the project and its environments. */
  | 'project_deleting'
  | 'no_environment'
  | 'environment_protected'
  | 'environment_removing'
  | 'environment_removed_by_hand'
  | 'auto_deploy_off'
  | 'skip_requested'
  | 'branch_deleted'
  | 'outdated'
  | 'nothing_new'
  | 'fork_pull_requests_off'
  | 'awaiting_approval'
  | 'environment_limit_reached'
  | 'domain_taken'
  | 'kept_protected'

/**
 * The words by which people ask that a commit be left alone, in its message, as the git hosts know them. `[skip ci]` and
 * `[ci skip]` are known to all of them.
 */
export function asksToSkip(message: string | null | undefined): boolean {
  return /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/i.test(message ?? '')
}

/** Some git hosts shorten commits in what they send. */
export function isSameCommit(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

/** Facts that came from elsewhere than a delivery, as they may be used; undefined where they cannot be. */
export function soundFacts(facts: PullRequestFacts): PullRequestFacts | undefined {
  const isNumber = Number.isSafeInteger(facts.number) && facts.number > 0 && facts.number < 2 ** 31
  const isCommit = /^[0-9a-f]{12,40}$/.test(facts.headSha)
  if (!isNumber || !isCommit || !Branch.safeParse(facts.branch).success || Number.isNaN(facts.updatedAt))
    return undefined
  const clean = (text: string): string => Array.from(safeText(text)).slice(0, 200).join('')
  const url = URL.parse(facts.url ?? '')
  return {
    ...facts,
    title: clean(facts.title),
    author: facts.author === null ? null : clean(facts.author),
    url: url && /^https?:$/.test(url.protocol) ? url.href : null,
  }
}

/** Open as far as this event tells. */
export const leavesOpen = (action: PullRequestAction): boolean => action !== 'closed' && action !== 'merged'

type Known = { readonly state: 'open' | 'closed' | 'merged'; readonly hostUpdatedAt: number }

/**
 * Whether an event tells of an earlier state than the one that is known. Events arrive in any order and more than once, and git
 * hosts tell time in seconds: of two with the same time, the one that ends a pull request came later, unless it was opened again.
 * What was merged stays merged.
 */
export function isOutdated({ action, pullRequest }: PullRequestEvent, known: Known): boolean {
  if (pullRequest.updatedAt < known.hostUpdatedAt) return true
  if (known.state === 'open') return false
  if (known.state === 'merged' || !leavesOpen(action)) return true
  return action !== 'reopened' && pullRequest.updatedAt === known.hostUpdatedAt
}
