// Rules about pull requests as JSON: those of the project, and those of `.service.yml`.
import { lifetimeOfHours } from '@shipway/api/values/lifetime'
import type { PullRequestRules as Answer } from '@shipway/api/values/pull-request-rules'
import type { FileRules, PullRequestRules } from '../../domain/repository/pull-request-rules.ts'

export function presentRules(rules: PullRequestRules, expireAfterHours: number | null): Answer {
  return {
    enabled: rules.enabled,
    labels: [...rules.labels],
    drafts: rules.drafts,
    bots: rules.bots,
    target_branches: [...rules.targetBranches],
    paths: [...rules.paths],
    comments: rules.comments,
    expire_after: expireAfterHours === null ? null : lifetimeOfHours(expireAfterHours),
  }
}

/** Only what the file says. */
export function presentFileRules(rules: FileRules['rules']): Partial<Answer> {
  const { enabled, labels, drafts, bots, targetBranches, paths, comments, expireAfterHours } = rules
  return {
    ...(enabled !== undefined && { enabled }),
    ...(labels && { labels: [...labels] }),
    ...(drafts !== undefined && { drafts }),
    ...(bots !== undefined && { bots }),
    ...(targetBranches && { target_branches: [...targetBranches] }),
    ...(paths && { paths: [...paths] }),
    ...(comments !== undefined && { comments }),
    ...(expireAfterHours !== undefined && { expire_after: lifetimeOfHours(expireAfterHours) }),
  }
}
