import type { AuditEvent } from '@shipway/api'
import { expect, test } from 'vitest'
import { describeAuditEvent, matchesWords } from './audit.ts'

test.each([
  ['server.created', 'added the server'],
  ['member.update_refused', 'was refused: member update'],
  ['oauth.something_new', 'oauth something new'],
])('%s is described as “%s”', (action, words) => {
  expect(describeAuditEvent({ action })).toBe(words)
})

const event: AuditEvent = {
  id: 1,
  at: '2026-11-15T12:00:00Z',
  actor: { id: 1, name: 'Maren Okafor' },
  action: 'environment.updated',
  target: { kind: 'environment', id: 3, name: 'staging' },
  fields: ['sticky'],
  address: '192.0.2.7',
  request_id: null,
}

test.each([
  ['', true],
  ['  ', true],
  ['maren', true],
  ['STAGING maren', true],
  ['sticky', true],
  ['192.0.2', true],
  ['jonas', false],
  ['maren jonas', false],
])('the filter “%s” matches: %s', (filter, isKept) => {
  expect(matchesWords(event, filter)).toBe(isKept)
})

test('an event without an actor belongs to the platform', () => {
  expect(matchesWords({ ...event, actor: null }, 'the platform')).toBe(true)
})
