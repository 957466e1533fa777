import type { Check } from '@shipway/api'
import { expect, test } from 'vitest'
import { serverAppearance } from './server-appearance.ts'

const check = (status: Check['status']): Check => ({ name: 'disk', status, message: '', fix: null })

test.each<[string, boolean, readonly Check['status'][] | undefined, string]>([
  ['has not been set up', true, ['ok'], 'Setup required'],
  ['is not loaded yet', false, undefined, 'Loading'],
  ['has not been checked', false, [], 'Not checked yet'],
  ['is fine', false, ['ok', 'ok'], 'Ready'],
  ['has a warning', false, ['ok', 'warning'], 'Warning'],
  ['has a failed check beside a warning', false, ['warning', 'failed'], 'Needs attention'],
])('a server that %s', (_, needsSetup, statuses, label) => {
  const health = statuses && { checks: statuses.map(check) }
  expect(serverAppearance({ needs_setup: needsSetup }, health).label).toBe(label)
})
