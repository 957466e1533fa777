// A pull request as a git host describes it, in a delivery or an API response, read field by field.
//
// Little is needed: of an open one its number, branch and commit, of one that ended its number. Everything else that is missing, or
// is of another kind than it used to be, is left out.

import { branchOf, commitOf, nameOf, numberOf, textOf, timeOf, urlOf } from './reported-values.ts'
import type { EndedFacts, EventReason, PullRequestFacts } from './repository-event.ts'

export type ToldPullRequest = {
  readonly number: unknown
  readonly title: unknown
  readonly url: unknown
  readonly author: unknown
  readonly branch: unknown
  readonly headSha: unknown
  readonly headRepository: unknown
  readonly isFork: boolean
  readonly isDraft: unknown
  readonly targetBranch: unknown
  readonly updatedAt: unknown
}

/** Or what is wrong with it. */
export function openFactsOf(told: ToldPullRequest): PullRequestFacts | EventReason {
  const ended = endedFactsOf(told)
  if (typeof ended === 'string') return ended
  const { branch, headSha } = ended
  if (branch === null) return faultOf(told.branch, 'invalid_ref')
  // A text that is no branch is no slip of the git host.
  if (ended.targetBranch === null && typeof told.targetBranch === 'string') return 'invalid_ref'
  if (headSha === null) return faultOf(told.headSha, 'invalid_commit')
  return { ...ended, branch, headSha }
}

export function endedFactsOf(told: ToldPullRequest): EndedFacts | EventReason {
  const number = numberOf(told.number)
  if (number === undefined) return 'invalid_number'
  return {
    number,
    title: textOf(told.title),
    url: urlOf(told.url),
    author: nameOf(told.author),
    branch: branchOf(told.branch) ?? null,
    headSha: commitOf(told.headSha) ?? null,
    headRepository: nameOf(told.headRepository),
    isFork: told.isFork,
    isDraft: told.isDraft === true,
    targetBranch: branchOf(told.targetBranch) ?? null,
    updatedAt: timeOf(told.updatedAt) ?? null,
  }
}

const faultOf = (value: unknown, fault: 'invalid_ref' | 'invalid_commit'): EventReason =>
  typeof value === 'string' ? fault : 'incomplete_payload'
