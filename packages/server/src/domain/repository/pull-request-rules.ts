// Which pull requests of a project get an environment, by its settings and by `.service.yml` of its default branch.
import { DEFAULT_PULL_REQUEST_RULES } from '@shipway/api/values/pull-request-rules'
import type { FilePullRequestRules } from '@shipway/rules/service-file/read-pull-requests'
import { DEFAULT_CHECKS_MINUTES } from './commit-checks.ts'

export type PullRequestRules = {
  /** `label`: only pull requests with one of the labels. */
  readonly enabled: boolean | 'label'
  readonly labels: readonly string[]
  readonly drafts: boolean
  readonly bots: boolean
  readonly targetBranches: readonly string[]
  readonly paths: readonly string[]
  readonly comments: boolean
}

/** The file of the default branch as it was read last. */
export type FileRules = {
  readonly rules: FilePullRequestRules
  /** Null if it was never read. */
  readonly sha: string | null
  /** The branch may have moved since. */
  readonly isStale: boolean
  readonly fault: string | null
}

export const DEFAULT_RULES: PullRequestRules = {
  enabled: DEFAULT_PULL_REQUEST_RULES.enabled,
  labels: [],
  drafts: DEFAULT_PULL_REQUEST_RULES.drafts,
  bots: DEFAULT_PULL_REQUEST_RULES.bots,
  targetBranches: [],
  paths: [],
  comments: DEFAULT_PULL_REQUEST_RULES.comments,
}

export type DeployAfterSettings = {
  readonly deployAfter: 'checks' | null
  readonly deployAfterChecks: readonly string[]
  readonly deployAfterMinutes: number | null
}

/** The file wins, and what it leaves out of the section is as in the settings. Undefined: deployed at once. */
export function effectiveDeployAfter(
  settings: DeployAfterSettings,
  { deployAfter: inFile }: FilePullRequestRules,
): { readonly names: readonly string[]; readonly minutes: number } | undefined {
  if (!inFile && settings.deployAfter !== 'checks') return undefined
  const minutes = inFile?.minutes ?? settings.deployAfterMinutes ?? DEFAULT_CHECKS_MINUTES
  return { names: inFile?.names ?? settings.deployAfterChecks, minutes }
}

/** The file wins, field by field. */
export function effectiveRules(settings: PullRequestRules, file: FilePullRequestRules): PullRequestRules {
  const { expireAfterHours: _, deployAfter: __, ...rules } = file
  return { ...settings, ...rules }
}
