import { expect, test } from 'vitest'
import { readPullRequestRules } from './read-pull-requests.ts'
import { readRepositoryConfig } from './read-repository-config.ts'

const WHOLE = `
services: { web: {} }
pull_requests:
  enabled: label
  labels: [preview]
  drafts: false
  bots: false
  target_branches: [main, "release/*"]
  paths: ["apps/shop/**", "!**/*.md"]
  comments: true
  expire_after: 72h
`

test('the whole section is read', () => {
  expect(readPullRequestRules(WHOLE)).toEqual({
    enabled: 'label',
    labels: ['preview'],
    drafts: false,
    bots: false,
    targetBranches: ['main', 'release/*'],
    paths: ['apps/shop/**', '!**/*.md'],
    comments: true,
    expireAfterHours: 72,
  })
  expect(readRepositoryConfig(WHOLE, 'docker').services).toHaveLength(1)
})

test.each([
  ['services: { web: {} }', {}],
  ['pull_requests: { drafts: false }', { drafts: false }],
  ['pull_requests: { enabled: label, labels: preview }', { enabled: 'label', labels: ['preview'] }],
  ['pull_requests: { paths: [] }', { paths: [] }],
])('%s leaves the rest to the settings', (file, expected) => expect(readPullRequestRules(file)).toEqual(expected))

test('faults elsewhere in the file do not hide the rules', () => {
  expect(readPullRequestRules('servces: 1\npull_requests: { bots: false }\n')).toEqual({ bots: false })
})

test.each([
  ['enabled: maybe', 'pull_requests.enabled: Give true, false or label'],
  ['enabled: label', 'pull_requests: Name at least one label under labels'],
  ['draft: false', 'pull_requests.draft is not a known key; did you mean drafts?'],
  ['labels: [1]', 'pull_requests.labels[0]: Give a text; put numbers, true and false in quotes'],
  ['paths: ["../x"]', 'pull_requests.paths[0]: Give a pattern such as apps/shop/**'],
  ['paths: ["a/{b,c}"]', 'pull_requests.paths[0]: Give a pattern such as apps/shop/**'],
  ['expire_after: soon', 'pull_requests.expire_after: Give hours or days from 1h to 365d, such as 72h or 7d'],
  ['drafts: "no"', 'pull_requests.drafts: Give true or false'],
])('%s is a fault of the section, and of the whole file', (line, sentence) => {
  const file = `services: { web: {} }\npull_requests:\n  ${line}\n`
  expect(() => readPullRequestRules(file)).toThrow(sentence)
  expect(() => readRepositoryConfig(file, 'docker')).toThrow(sentence)
})
