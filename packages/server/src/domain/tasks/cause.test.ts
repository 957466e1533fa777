// What a task's cause says about who asked for it, and with what.
import { expect, test } from 'vitest'
import { causeOf, programOf } from './cause.ts'

const session = { kind: 'session', id: 1, expiresAt: 0 } as const
const oauth = { kind: 'oauth', grant: 'g', expiresAt: 1 } as const
const personal = { kind: 'personal', id: 1, expiresAt: 1, organizationId: null } as const

test.each([
  [session, undefined, 'dashboard'],
  [session, 'shipway-mcp/1.15.0', 'dashboard'],
  [oauth, undefined, 'cli'],
  [oauth, 'shipway-cli/1.15.0 (linux; node 24.1.0)', 'cli'],
  [oauth, 'shipway-mcp/1.15.0 (linux; node 24.1.0)', 'mcp'],
  [personal, undefined, 'api'],
  [personal, 'curl/8.5.0', 'api'],
  [personal, 'Mozilla/5.0 shipway-mcp/1', 'api'],
  [personal, 'shipway-cli/1.15.0', 'cli'],
  [personal, 'shipway-mcp/1.15.0', 'mcp'],
] as const)('%j with %s', (credential, userAgent, cause) => {
  expect(causeOf({ credential, program: programOf(userAgent) })).toBe(cause)
})
