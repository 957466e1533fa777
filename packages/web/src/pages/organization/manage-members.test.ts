import type { Member, Role } from '@shipway/api'
import { expect, test } from 'vitest'
import { whyNotManage } from './manage-members.ts'

const member = (id: number, role: Role): Member => ({
  user: { id, name: `user ${id}`, email: `${id}@example.com` },
  role,
  since: '2026-11-15T12:00:00Z',
})

test.each<[Role | undefined, Role, readonly Role[], RegExp | undefined]>([
  ['owner', 'admin', ['owner', 'admin'], undefined],
  ['admin', 'member', ['owner', 'member'], undefined],
  ['admin', 'owner', ['owner', 'owner'], /Only an owner/],
  ['member', 'viewer', ['owner', 'viewer'], /administrator/],
  [undefined, 'viewer', ['owner', 'viewer'], /administrator/],
  ['owner', 'owner', ['owner'], /keeps at least one owner/],
  ['owner', 'owner', ['owner', 'owner'], undefined],
])('as %s, a member who is %s among %j', (own, role, roles, lock) => {
  const members = roles.map((each, index) => member(index, each))
  const locked = whyNotManage(members, member(9, role), own)
  if (lock === undefined) expect(locked).toBeUndefined()
  else expect(locked).toMatch(lock)
})
