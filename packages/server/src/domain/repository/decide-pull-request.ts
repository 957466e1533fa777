// Decides whether a pull request gets an environment, and whether its new commits are deployed, by the rules of the project.
import { filterOf, includesAny } from '@shipway/rules/service-file/filter-patterns'
import type { PullRequestRules } from './pull-request-rules.ts'

/** What the decision needs to know of a pull request. */
export type DecidedFacts = {
  readonly author: string | null
  readonly isBot: boolean
  readonly isDraft: boolean
  /** Null where the git host has no labels. */
  readonly labels: readonly string[] | null
  readonly targetBranch: string | null
  /** What a comment asked for last. */
  readonly requested: 'start' | 'stop' | null
}

/**
 * The files that a pull request changes, or what came of comparing them before. Undefined if the list is not complete: then it counts as
 * a match.
 */
export type ChangedFiles = { readonly files: readonly string[] } | { readonly isMatch: boolean } | undefined

/** Codes never change. */
export type RefusalCode =
  | 'stopped_by_comment'
  | 'pull_requests_off'
  | 'target_branch_excluded'
  | 'bot_author'
  | 'draft'
  | 'label_missing'
  | 'paths_unchanged'

export type Refusal = { readonly code: RefusalCode; readonly sentence: string }
export type Decision = { readonly isAdmitted: true } | ({ readonly isAdmitted: false } & Refusal)

/**
 * These keep an environment that is there, without new commits: a draft is still worked on, and other files do not change what is
 * deployed. All other refusals remove it.
 */
export const keepsEnvironment = (code: RefusalCode): boolean => code === 'draft' || code === 'paths_unchanged'

/** The word of a person with write access counts more than the rules. The order is that of the reasons that people would name first. */
export function decidePullRequest(facts: DecidedFacts, rules: PullRequestRules, changed: ChangedFiles): Decision {
  if (facts.requested === 'stop')
    return refuse('stopped_by_comment', 'A comment stopped it. Comment /preview to start it again')
  if (facts.requested === 'start') return { isAdmitted: true }
  return (
    refuseByState(facts, rules) ??
    (matchesPaths(changed, rules.paths)
      ? { isAdmitted: true }
      : refuse('paths_unchanged', `None of its changed files matches ${listOf(rules.paths)}`))
  )
}

/** Whether the rules need the list of changed files at all. */
export const needsFiles = (facts: DecidedFacts, rules: PullRequestRules): boolean =>
  facts.requested === null && rules.paths.length > 0 && refuseByState(facts, rules) === undefined

export function matchesPaths(changed: ChangedFiles, paths: readonly string[]): boolean {
  if (changed === undefined || paths.length === 0) return true
  return 'isMatch' in changed ? changed.isMatch : includesAny(paths, changed.files)
}

function refuseByState(facts: DecidedFacts, rules: PullRequestRules): Decision | undefined {
  const { author, isBot, isDraft, labels, targetBranch } = facts
  if (rules.enabled === false) {
    const how = rules.comments ? '. Comment /preview to get one' : ''
    return refuse('pull_requests_off', `Pull requests of this project get no environments${how}`)
  }
  if (targetBranch !== null && !filterOf(rules.targetBranches)(targetBranch))
    return refuse(
      'target_branch_excluded',
      `Its target branch ${targetBranch} does not match ${listOf(rules.targetBranches)}`,
    )
  if (isBot && !rules.bots) return refuse('bot_author', `Its author ${author ?? ''} is a bot`.replace('  ', ' '))
  if (isDraft && !rules.drafts) return refuse('draft', 'It is a draft, and waits until it is ready for review')
  if (rules.enabled === 'label' && !hasOneOf(labels ?? [], rules.labels))
    return refuse('label_missing', labelSentence(labels, rules.labels))
  return undefined
}

/** As git hosts compare them, whatever the case. */
function hasOneOf(labels: readonly string[], wanted: readonly string[]): boolean {
  const known = new Set(labels.map((label) => label.toLowerCase()))
  return wanted.some((label) => known.has(label.toLowerCase()))
}

function labelSentence(labels: DecidedFacts['labels'], wanted: readonly string[]): string {
  if (wanted.length === 0) return 'Only pull requests with a label get an environment, and no label is named'
  if (labels === null) return `It needs the label ${listOf(wanted)}, and this git host has no labels`
  return wanted.length === 1 ? `It has no label ${wanted[0]}` : `It has none of the labels ${listOf(wanted)}`
}

const refuse = (code: RefusalCode, sentence: string): Decision => ({ isAdmitted: false, code, sentence })

const SHOWN = 5

/** The first few: a sentence has to stay one. */
function listOf(words: readonly string[]): string {
  const shown = words.slice(0, SHOWN).join(', ')
  return words.length > SHOWN ? `${shown} and ${words.length - SHOWN} more` : shown
}
