// A pull request as a git host describes it, in a delivery or an API response, read field by field.
//
// Few fields are required: number, branch and commit if it is open, else only the number. Other fields that are missing, or
// have an unexpected type, are left out.

import { branchOf, commitOf, labelsOf, nameOf, numberOf, textOf, timeOf, urlOf } from './reported-values.ts'
import type { EndedFacts, EventReason, PullRequestFacts } from './repository-event.ts'

export type ReportedPullRequest = {
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
  /** A list of names; null where the git host has no labels. */
  readonly labels: unknown
  /** Null if the git host does not say here who the author is. */
  readonly isBot: boolean | null
  readonly updatedAt: unknown
}

/** Or what is wrong with it. */
export function openFactsOf(reported: ReportedPullRequest): PullRequestFacts | EventReason {
  const ended = endedFactsOf(reported)
  if (typeof ended === 'string') return ended
  const { branch, headSha } = ended
  if (branch === null) return faultOf(reported.branch, 'invalid_ref')
  // An invalid branch name is never a mistake of the git host.
  if (ended.targetBranch === null && typeof reported.targetBranch === 'string') return 'invalid_ref'
  if (headSha === null) return faultOf(reported.headSha, 'invalid_commit')
  return { ...ended, branch, headSha }
}

export function endedFactsOf(reported: ReportedPullRequest): EndedFacts | EventReason {
  const number = numberOf(reported.number)
  if (number === undefined) return 'invalid_number'
  return {
    number,
    title: textOf(reported.title),
    url: urlOf(reported.url),
    author: nameOf(reported.author),
    branch: branchOf(reported.branch) ?? null,
    headSha: commitOf(reported.headSha) ?? null,
    headRepository: nameOf(reported.headRepository),
    isFork: reported.isFork,
    isDraft: reported.isDraft === true,
    targetBranch: branchOf(reported.targetBranch) ?? null,
    labels: reported.labels === null ? null : labelsOf(reported.labels),
    isBot: reported.isBot,
    updatedAt: timeOf(reported.updatedAt) ?? null,
  }
}

const faultOf = (value: unknown, fault: 'invalid_ref' | 'invalid_commit'): EventReason =>
  typeof value === 'string' ? fault : 'incomplete_payload'
