/** Which pull requests get an environment: the settings of a project, and the section `pull_requests` of `.service.yml`. */
import { z } from 'zod'
import { Lifetime } from './lifetime.ts'
import { rule } from './rule.ts'
import { hasControlCharacters, isVisible } from './text.ts'

const MOST_ENTRIES = 20
/** Patterns and file names are bounded together, so that no list of patterns is slow to match. */
const MOST_CHARACTERS = 100

export const PullRequestsEnabled = z.union([z.boolean(), z.literal('label')], { error: 'Give true, false or label' })

export const Label = z
  .string({ error: 'Give a text; put numbers, true and false in quotes' })
  .check(
    rule(
      'invalid_label',
      'Give the name of a label, of at most 100 characters',
      (label) => label.length <= MOST_CHARACTERS && isVisible(label) && !hasControlCharacters(label),
    ),
  )

/** `*` and `?` stay within a part, `**` crosses parts; `!` excludes what earlier patterns included. */
export const FilterPattern = z
  .string({ error: 'Give a text; put numbers, true and false in quotes' })
  .check(
    rule(
      'invalid_pattern',
      'Give a pattern such as apps/shop/** or !**/*.md, of at most 100 characters, with *, **, ? and [ ] only',
      isFilterPattern,
    ),
  )

function isFilterPattern(text: string): boolean {
  const pattern = text.replace(/^!/, '')
  if (text.length > MOST_CHARACTERS || pattern === '' || /[\\{}()|]/.test(pattern)) return false
  if (hasControlCharacters(text) || !text.isWellFormed() || pattern.split('**').length > 4) return false
  return pattern.split('/').every((part) => !['', '.', '..'].includes(part))
}

/** Of one list. */
export const MOST_FILTER_ENTRIES = MOST_ENTRIES

/** What a project or a file says; what is left out is as it was. */
export const PullRequestChanges = z.strictObject({
  enabled: PullRequestsEnabled.optional(),
  labels: z.array(Label).max(MOST_ENTRIES).optional(),
  drafts: z.boolean().optional(),
  bots: z.boolean().optional(),
  target_branches: z.array(FilterPattern).max(MOST_ENTRIES).optional(),
  paths: z.array(FilterPattern).max(MOST_ENTRIES).optional(),
  comments: z.boolean().optional(),
  expire_after: Lifetime.nullable().optional(),
})
export type PullRequestChanges = z.infer<typeof PullRequestChanges>

export const PullRequestRules = z.object({
  enabled: z.union([z.boolean(), z.literal('label')]),
  labels: z.array(z.string()),
  drafts: z.boolean(),
  bots: z.boolean(),
  target_branches: z.array(z.string()),
  paths: z.array(z.string()),
  comments: z.boolean(),
  expire_after: z.string().nullable(),
})
export type PullRequestRules = z.infer<typeof PullRequestRules>

/** Every pull request of the repository gets an environment. */
export const DEFAULT_PULL_REQUEST_RULES: PullRequestRules = {
  enabled: true,
  labels: [],
  drafts: true,
  bots: true,
  target_branches: [],
  paths: [],
  comments: false,
  expire_after: null,
}
