// What a task's cause says about the sign-in behind it.
import { expect, test } from 'vitest'
import { causeOf } from './cause.ts'

test('the dashboard signs in with a session, the client with OAuth, scripts with a personal token', () => {
  expect(causeOf({ kind: 'session', id: 1 })).toBe('dashboard')
  expect(causeOf({ kind: 'oauth', grant: 'g', expiresAt: 1 })).toBe('cli')
  expect(causeOf({ kind: 'personal', id: 1, expiresAt: 1, organizationId: null })).toBe('api')
})
