// What happened in a repository, in one language for every git host.
import type { CheckAction } from './check-run.ts'
import type { CommentCommand } from './comment-command.ts'
import type { RefusalCode } from './decide-pull-request.ts'

/** All zeros: git's word for no commit. */
export const NO_COMMIT = '0'.repeat(40)

export type Push = {
  readonly kind: 'push'
  readonly branch: string
  /** The branch's new commit; `NO_COMMIT` if it was deleted. */
  readonly sha: string
  /** Where it stood before; `NO_COMMIT` where it is new. */
  readonly before: string
  readonly isDeleted: boolean
  /** Null if the git host does not say. */
  readonly isForced: boolean | null
  /** Its newest commit asks not to be deployed. */
  readonly isSkipped: boolean
}

/** Sent by a git host to test the webhook. */
export type Ping = { readonly kind: 'ping' }

export type OpenAction =
  | 'opened'
  | 'reopened'
  | 'updated'
  | 'retargeted'
  | 'labelled'
  | 'unlabelled'
  | 'ready_for_review'
  | 'converted_to_draft'
type EndAction = 'closed' | 'merged'
export type PullRequestAction = OpenAction | EndAction

export type PullRequestEvent = (OpenPullRequestEvent | EndedPullRequestEvent) & {
  /** The current state by the git host, not an event of the past. */
  readonly isCurrent?: boolean
}
export type OpenPullRequestEvent = {
  readonly kind: 'pull_request'
  readonly action: OpenAction
  readonly pullRequest: PullRequestFacts
}
type EndedPullRequestEvent = {
  readonly kind: 'pull_request'
  readonly action: EndAction
  readonly pullRequest: EndedFacts
}

export type PullRequestFacts = {
  readonly number: number
  readonly title: string
  readonly url: string | null
  readonly author: string | null
  /** The branch that asks to be merged, in whichever repository it is. */
  readonly branch: string
  readonly headSha: string
  /** As the git host calls it; null if it is gone. */
  readonly headRepository: string | null
  /** True unless the git host says beyond doubt that both branches are in one repository. */
  readonly isFork: boolean
  readonly isDraft: boolean
  readonly targetBranch: string | null
  /** Null where the git host has no labels. */
  readonly labels: readonly string[] | null
  /** Whether the git host marks its author as a bot; null if this event does not say. */
  readonly isBot: boolean | null
  /** Milliseconds, by the clock of the git host; null if it says nothing that is a time. */
  readonly updatedAt: number | null
}

/** What is left of one that ended: its branch may be gone, and the commit with it. Its number is enough. */
export type EndedFacts = Omit<PullRequestFacts, 'branch' | 'headSha'> & {
  readonly branch: string | null
  readonly headSha: string | null
}

/** A command in a comment of a pull request. */
export type CommentEvent = {
  readonly kind: 'comment'
  readonly number: number
  readonly command: CommentCommand
  readonly author: HostAccount
}

/** An account of the git host: by its name, and by its id where the API asks for that. */
export type HostAccount = { readonly name: string; readonly id: string | null }

/** A user asked for something with a button of a check run, or to run checks again. */
export type CheckRequestEvent = {
  readonly kind: 'check_request'
  readonly action: CheckAction
  /** By the git host's id of the check run, or all of a commit. */
  readonly which: { readonly hostId: string } | { readonly sha: string }
  /** The account at the git host. */
  readonly sender: string
}

/** Checks of a commit have changed: a hint to look at them. */
export type ChecksChanged = { readonly kind: 'checks_changed'; readonly sha: string }

export type RepositoryEvent = Push | PullRequestEvent | CommentEvent | CheckRequestEvent | ChecksChanged | Ping

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
  | 'too_many_changes'
  | 'payload_too_complex'
  /** Of the project and its environments. */
  | 'project_deleting'
  | 'no_environment'
  | 'environment_protected'
  | 'environment_removing'
  | 'environment_removed_by_hand'
  | 'environment_expired'
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
  /** Of the rules about pull requests, and of commands in comments. */
  | RefusalCode
  | 'not_a_command'
  | 'comments_off'
  | 'no_write_access'
  | 'write_access_unknown'
  | 'pull_request_unknown'
  | 'pull_request_closed'
  /** Of a button of a check run, and of checks. */
  | 'checking_permission'
  | 'waiting_for_checks'

/**
 * The words by which people ask that a commit be left alone, in its message, as the git hosts know them. `[skip ci]` and
 * `[ci skip]` are known to all of them.
 */
export function asksToSkip(message: unknown): boolean {
  return typeof message === 'string' && /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/i.test(message)
}

/** Some git hosts shorten commits in what they send. */
export function isSameCommit(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

/** Open, according to this event. */
export const leavesOpen = (action: PullRequestAction): action is OpenAction =>
  action !== 'closed' && action !== 'merged'

export const isOpenEvent = (event: PullRequestEvent): event is PullRequestEvent & OpenPullRequestEvent =>
  leavesOpen(event.action)
