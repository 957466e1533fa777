// Rules about pull requests as JSON: those of the project, and those of `.service.yml`.
import { lifetimeOfHours } from '@shipway/api/values/lifetime'
import type { PullRequestRules as Answer } from '@shipway/api/values/pull-request-rules'
import {
  type DeployAfterSettings,
  effectiveDeployAfter,
  type FileRules,
  type PullRequestRules,
} from '../../domain/repository/pull-request-rules.ts'

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

type RulesOfProject = DeployAfterSettings & {
  readonly pullRequestRules: PullRequestRules
  readonly expireAfterHours: number | null
  readonly fileRules: FileRules
}

type EffectiveRule = { readonly field: string; readonly value: unknown; readonly from: 'file' | 'settings' }

/** Every rule as it applies, and where it comes from. */
export function presentEffectiveRules(project: RulesOfProject): EffectiveRule[] {
  const { pullRequestRules, expireAfterHours, fileRules } = project
  const inFile = presentFileRules(fileRules.rules)
  const pullRequests = Object.entries({ ...presentRules(pullRequestRules, expireAfterHours), ...inFile })
  const after = effectiveDeployAfter(project, fileRules.rules)
  const { deployAfter } = fileRules.rules
  const from = (isOfFile: boolean): EffectiveRule['from'] => (isOfFile ? 'file' : 'settings')
  return [
    ...pullRequests.map(([field, value]) => ({
      field: `pull_requests.${field}`,
      value,
      from: from(Object.hasOwn(inFile, field)),
    })),
    { field: 'deploy_after', value: after ? 'checks' : null, from: from(deployAfter !== undefined) },
    { field: 'deploy_after_checks', value: [...(after?.names ?? [])], from: from(deployAfter !== undefined) },
    { field: 'deploy_after_minutes', value: after?.minutes ?? null, from: from(deployAfter?.minutes != null) },
  ]
}
