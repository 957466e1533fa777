// What `deploy_after` of a file says, and its faults.
import { expect, test } from 'vitest'
import { readPullRequestRules } from './read-pull-requests.ts'
import { readRepositoryConfig } from './read-repository-config.ts'

test.each([
  ['deploy_after: checks', { names: [], minutes: null }],
  ['deploy_after: { checks: [build, "lint / css"] }', { names: ['build', 'lint / css'], minutes: null }],
  ['deploy_after: { checks: build, timeout: 20m }', { names: ['build'], minutes: 20 }],
  ['deploy_after: { timeout: 10s }', { names: [], minutes: 1 }],
  ['deploy_after: {}', { names: [], minutes: null }],
])('%s', (file, deployAfter) => {
  expect(readPullRequestRules(file)).toEqual({ deployAfter })
  expect(readRepositoryConfig(`services: { web: {} }\n${file}\n`, 'docker').services).toHaveLength(1)
})

test('a file without the key leaves it to the settings', () => {
  expect(readPullRequestRules('pull_requests: { bots: false }')).toEqual({ bots: false })
})

test.each([
  ['deploy_after: tests', 'Give checks, or a section with checks and timeout'],
  ['deploy_after: [checks]', 'Give a single value'],
  ['deploy_after: { checks: [1] }', 'deploy_after.checks'],
  ['deploy_after: { checks: [""] }', 'Give the name of a check'],
  ['deploy_after: { timeout: soon }', 'Give a duration'],
  ['deploy_after: { names: [a] }', 'names'],
  [`deploy_after: { checks: [${Array.from({ length: 21 }, (_, index) => `c${index}`)}] }`, '20'],
])('%s is a fault, in every reader', (file, sentence) => {
  expect(() => readPullRequestRules(file)).toThrow(sentence)
  expect(() => readRepositoryConfig(`services: { web: {} }\n${file}\n`, 'docker')).toThrow(sentence)
})
