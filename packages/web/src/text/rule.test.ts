import { expect, test } from 'vitest'
import { describeRule } from './rule.ts'

test.each([
  ['pull_requests.drafts', false, 'drafts: false'],
  ['pull_requests.labels', ['preview', 'qa'], 'labels: preview, qa'],
  ['deploy_after_checks', [], 'deploy_after_checks: all'],
  ['pull_requests.expire_after', null, 'expire_after: none'],
])('%s is shown as in the file', (field, value, words) => {
  expect(describeRule({ field, value })).toBe(words)
})
