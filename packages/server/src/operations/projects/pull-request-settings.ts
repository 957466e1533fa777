// The settings of a project about pull requests, as they are checked and stored.
import type { PullRequestChanges } from '@shipway/api/values/pull-request-rules'
import { InvalidField } from '../../domain/errors.ts'
import type { PullRequestRules } from '../../domain/repository/pull-request-rules.ts'

export function refuseRules(before: PullRequestRules, changes: PullRequestChanges): void {
  const { enabled, labels } = changedRules(before, changes)
  if (enabled === 'label' && labels.length === 0)
    throw InvalidField('/pull_requests/labels', 'required', 'Name at least one label')
}

/** Empty where nothing changes. */
export function rulesColumn(before: PullRequestRules, changes: PullRequestChanges) {
  const rules = JSON.stringify(changedRules(before, changes))
  return rules === JSON.stringify(changedRules(before, {})) ? {} : { pull_request_rules: rules }
}

function changedRules(before: PullRequestRules, changes: PullRequestChanges): PullRequestRules {
  const { enabled, labels, drafts, bots, target_branches, paths, comments } = changes
  return {
    enabled: enabled ?? before.enabled,
    labels: [...new Set(labels ?? before.labels)],
    drafts: drafts ?? before.drafts,
    bots: bots ?? before.bots,
    targetBranches: target_branches ?? before.targetBranches,
    paths: paths ?? before.paths,
    comments: comments ?? before.comments,
  }
}
