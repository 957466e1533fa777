import { expect, test } from 'vitest'
import { describeExpiry } from './expiry.ts'

const now = new Date('2026-03-12T09:00:00Z')

test.each([
  [null, undefined],
  ['2026-03-13T09:00:01Z', undefined],
  ['2026-03-13T09:00:00Z', 'removed in 24 h unless deployed'],
  ['2026-03-12T14:59:00Z', 'removed in 5 h unless deployed'],
  ['2026-03-12T09:59:59Z', 'removed in 59 min unless deployed'],
  ['2026-03-12T09:00:30Z', 'removed shortly unless deployed'],
  ['2026-03-12T08:00:00Z', 'removed shortly unless deployed'],
])('an environment that expires at %s is “%s”', (expiresAt, words) => {
  expect(describeExpiry({ expires_at: expiresAt, upload: null }, now)).toBe(words)
})

test('an upload is kept by extending it, and not by a deployment', () => {
  const upload = { by: { id: 1, name: 'Ada' }, commit_sha: null, head_sha: null, created_at: '2026-03-12T08:00:00Z' }
  const describe = (expiresAt: string) => describeExpiry({ expires_at: expiresAt, upload }, now)
  expect(describe('2026-03-12T14:59:00Z')).toBe('removed in 5 h unless extended')
  expect(describe('2026-03-12T08:00:00Z')).toBe('removed shortly unless extended')
})
