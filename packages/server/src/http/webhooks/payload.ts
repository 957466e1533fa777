// Reads the parts of payloads that every git host has. What cannot do without makes the delivery unused; the rest is left out.
import { commandOf } from '../../domain/repository/comment-command.ts'
import { endedFactsOf, openFactsOf, type ReportedPullRequest } from '../../domain/repository/pull-request-facts.ts'
import {
  branchOf,
  commitOf,
  fieldOf,
  isObject,
  nameOf,
  numberOf,
  numericIdOf,
} from '../../domain/repository/reported-values.ts'
import {
  asksToSkip,
  type ChecksChanged,
  type CommentEvent,
  type EventReason,
  leavesOpen,
  NO_COMMIT,
  type PullRequestAction,
  type PullRequestEvent,
  type Push,
} from '../../domain/repository/repository-event.ts'
import { type Translation, Unused } from './webhook-dialect.ts'

/** A part that everything else is read from. */
export function readPart(payload: unknown, ...path: readonly string[]): object {
  const part = fieldOf(payload, ...path)
  if (!isObject(part)) throw new Unused('incomplete_payload')
  return part
}

export function readWord(value: unknown): string {
  if (typeof value !== 'string') throw new Unused('incomplete_payload')
  return value
}

/** Ours for the git host's word; nothing that every object has is one. */
export function readAction<Ours>(actions: Readonly<Record<string, Ours>>, theirs: string): Ours {
  const action = Object.hasOwn(actions, theirs) ? actions[theirs] : undefined
  if (action === undefined) throw new Unused('action_not_used')
  return action
}

/** Which repository a delivery is of; null where it does not say. */
export function repositoryOf(id: string | undefined, addresses: readonly unknown[]): Translation['repository'] {
  if (id === undefined) return null
  return { id, addresses: addresses.filter((address) => typeof address === 'string') }
}

export function checksChanged(sha: unknown): ChecksChanged {
  const commit = commitOf(readWord(sha))
  if (commit === undefined) throw new Unused('invalid_commit')
  return { kind: 'checks_changed', sha: commit }
}

export function pullRequestEvent(action: PullRequestAction, reported: ReportedPullRequest): PullRequestEvent {
  if (leavesOpen(action)) return { kind: 'pull_request', action, pullRequest: usable(openFactsOf(reported)) }
  return { kind: 'pull_request', action, pullRequest: usable(endedFactsOf(reported)) }
}

function usable<Facts>(facts: Facts | EventReason): Facts {
  if (typeof facts === 'string') throw new Unused(facts as EventReason)
  return facts as Facts
}

type CommentPayload = {
  readonly number: unknown
  readonly text: unknown
  readonly author: unknown
  readonly authorId: string | undefined
}

/** Of a comment, nothing but its command is kept. */
export function commentEvent({ number, text, author, authorId }: CommentPayload): CommentEvent {
  const command = commandOf(text)
  if (command === undefined) throw new Unused('not_a_command')
  const [known, name] = [numberOf(number), nameOf(author)]
  if (known === undefined) throw new Unused('invalid_number')
  if (name === null) throw new Unused('incomplete_payload')
  return { kind: 'comment', number: known, command, author: { name, id: authorId ?? null } }
}

type PushPayload = {
  readonly branch: unknown
  /** Null where there is none. */
  readonly after: unknown
  readonly before: unknown
  readonly isDeleted?: boolean
  readonly isForced: unknown
  /** Of the newest commit. */
  readonly message: unknown
}

export function pushEvent(pushed: PushPayload): Push {
  const branch = readBranch(pushed.branch)
  const sha = pushed.after === null ? NO_COMMIT : readSha(pushed.after)
  return {
    kind: 'push',
    branch,
    sha,
    before: isSha(pushed.before) ? pushed.before : NO_COMMIT,
    isDeleted: pushed.isDeleted === true || sha === NO_COMMIT,
    isForced: typeof pushed.isForced === 'boolean' ? pushed.isForced : null,
    isSkipped: asksToSkip(pushed.message),
  }
}

/** One push can move several branches: what is wrong with one of them says nothing about the others. */
export function pushEvents(changes: readonly unknown[], read: (change: unknown) => Push): readonly Push[] {
  const faults: Unused[] = []
  const pushes = changes.flatMap((change) => {
    try {
      return [read(change)]
    } catch (error) {
      if (!(error instanceof Unused)) throw error
      faults.push(error)
      return []
    }
  })
  if (pushes.length === 0) throw faults[0] ?? new Unused('incomplete_payload')
  return pushes
}

/** The branch of `refs/heads/…`; a tag or a note is none. */
export function readRef(value: unknown): string {
  const ref = readWord(value)
  if (!ref.startsWith(BRANCHES)) throw new Unused(ref.startsWith('refs/') ? 'not_a_branch' : 'invalid_ref')
  return readBranch(ref.slice(BRANCHES.length))
}

const BRANCHES = 'refs/heads/'

function readBranch(value: unknown): string {
  const branch = branchOf(readWord(value))
  if (branch === undefined) throw new Unused('invalid_ref')
  return branch
}

function readSha(value: unknown): string {
  const sha = readWord(value)
  if (!isSha(sha)) throw new Unused('invalid_commit')
  return sha
}

const isSha = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{40}$/.test(value)

/** One and the same repository only where both sides name it alike; whatever is missing makes it a stranger's. */
export function isFork(head: unknown, base: unknown): boolean {
  return numericIdOf(head) === undefined || head !== base
}
