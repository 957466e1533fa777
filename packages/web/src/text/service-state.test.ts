import type { ServiceState } from '@shipway/api'
import { expect, test } from 'vitest'
import { describeServiceState, describeServing, isUnreachable } from './service-state.ts'

test.each([
  ['exited', 137, 0, 'Exited with code 137'],
  ['exited', null, 0, 'Not running'],
  ['restarting', 1, 1, 'Restarting, 1 time so far'],
  ['restarting', 1, 4, 'Restarting, 4 times so far'],
  ['healthy', null, 2, 'Healthy'],
  ['unknown', null, 0, 'Unknown'],
] as const)('%s with code %j after %i restarts is "%s"', (state, exit_code, restarts, words) => {
  expect(describeServiceState({ state, exit_code, restarts })).toBe(words)
})

const live = { task_id: 7, commit_sha: 'abcdef0123456789abcdef0123456789abcdef01', since: '2026-01-01T00:00:00Z' }

test('what visitors get is described only if it was just checked', () => {
  expect(describeServing({ ...live, answers: true }, undefined)).toBe(
    'Nothing changed for visitors: abcdef0 still serves (checked just now).',
  )
  expect(describeServing({ ...live, answers: false }, undefined)).toMatch(/^Visitors get no answer: abcdef0 /)
  expect(describeServing({ ...live, answers: null }, undefined)).toBeUndefined()
})

test.each<[readonly ServiceState[], boolean]>([
  [['running'], false],
  [['unknown', 'running'], true],
  [['unknown', 'exited'], false],
  [[], false],
])('services that are %j mean an unreachable server: %s', (states, expected) => {
  const services = states.map((state) => ({
    name: 'web',
    domain: '',
    url: '',
    state,
    state_since: '',
    restarts: 0,
    exit_code: null,
  }))
  expect(isUnreachable({ services })).toBe(expected)
})
