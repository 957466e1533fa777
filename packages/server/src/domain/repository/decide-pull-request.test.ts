import { expect, test } from 'vitest'
import { type ChangedFiles, type DecidedFacts, decidePullRequest, needsFiles } from './decide-pull-request.ts'
import { commentOf } from './feedback.ts'
import { DEFAULT_RULES, effectiveRules, type PullRequestRules } from './pull-request-rules.ts'

const facts: DecidedFacts = {
  author: 'ada',
  isBot: false,
  isDraft: false,
  labels: [],
  targetBranch: 'main',
  requested: null,
}

type Case = readonly [
  what: string,
  facts: Partial<DecidedFacts>,
  rules: Partial<PullRequestRules>,
  changed: ChangedFiles,
  refusal: string | null,
]

test.each<Case>([
  ['anything by default', { isDraft: true, isBot: true }, {}, undefined, null],
  ['off', {}, { enabled: false }, undefined, 'Pull requests of this project get no environments'],
  [
    'off, with commands',
    {},
    { enabled: false, comments: true },
    undefined,
    'Pull requests of this project get no environments. Comment /preview to get one',
  ],
  ['a label', { labels: ['QA'] }, { enabled: 'label', labels: ['preview', 'qa'] }, undefined, null],
  ['no label', { labels: ['bug'] }, { enabled: 'label', labels: ['qa'] }, undefined, 'It has no label qa'],
  [
    'a host without labels',
    { labels: null },
    { enabled: 'label', labels: ['qa'] },
    undefined,
    'It needs the label qa, and this git host has no labels',
  ],
  [
    'no label named',
    {},
    { enabled: 'label' },
    undefined,
    'Only pull requests with a label get an environment, and no label is named',
  ],
  ['labels without the mode', {}, { labels: ['qa'] }, undefined, null],
  ['an unknown target', { targetBranch: null }, { targetBranches: ['main'] }, undefined, null],
  [
    'another target',
    { targetBranch: 'x' },
    { targetBranches: ['main'] },
    undefined,
    'Its target branch x does not match main',
  ],
  ['a bot without a name', { isBot: true, author: null }, { bots: false }, undefined, 'Its author is a bot'],
  ['no file', {}, { paths: ['a/**'] }, { files: [] }, 'None of its changed files matches a/**'],
  ['one file of many', {}, { paths: ['a/**'] }, { files: ['b', 'a/x'] }, null],
  ['compared before', {}, { paths: ['a/**'] }, { isMatch: false }, 'None of its changed files matches a/**'],
  ['a list that was cut off', {}, { paths: ['a/**'] }, undefined, null],
  [
    'a command against the rules',
    { requested: 'start', isDraft: true },
    { enabled: false, drafts: false },
    undefined,
    null,
  ],
  [
    'a stop against the rules',
    { requested: 'stop' },
    {},
    undefined,
    'A comment stopped it. Comment /preview to start it again',
  ],
])('%s', (_, own, rules, changed, refusal) => {
  const decision = decidePullRequest({ ...facts, ...own }, { ...DEFAULT_RULES, ...rules }, changed)
  expect(decision.isAdmitted ? null : decision.sentence).toBe(refusal)
})

test('the file wins field by field, and files are listed only where they can matter', () => {
  const rules = effectiveRules({ ...DEFAULT_RULES, drafts: false, bots: false }, { drafts: true, paths: ['a/**'] })
  expect(rules).toMatchObject({ drafts: true, bots: false, paths: ['a/**'] })
  expect(needsFiles(facts, rules)).toBe(true)
  expect(needsFiles({ ...facts, isBot: true }, rules)).toBe(false)
  expect(needsFiles({ ...facts, requested: 'start' }, rules)).toBe(false)
})

test('the comment says which rule decided, without markup of others', () => {
  const project = { id: 1, name: 'shop' }
  const report = { project, hasCheckRun: false, state: 'open', waiting: undefined, removal: null, task: null } as const
  const refusal = 'It has no label @all `x` <b>'
  const said = commentOf({ ...report, refusal, environment: null })
  expect(said).toContain("This pull request has no environment: `It has no label @all 'x' <b>`")
  const url = 'https://pr-7.example.com'
  const own = { name: 'pr-7', url, page: url, services: [], awaitsApproval: false }
  const environment = { ...own, checkWait: null, expiresAt: null }
  expect(commentOf({ ...report, refusal, environment })).toContain('New commits are not deployed: `It has no label')
})
