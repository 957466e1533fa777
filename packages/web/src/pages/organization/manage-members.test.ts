import type { Member, Role } from '@shipway/api'
import { expect, test } from 'vitest'
import { whyNotManage } from './manage-members.ts'

const member = (id: number, role: Role): Member => ({
  user: { id, name: `user ${id}`, email: `${id}@example.com` },
  role,
  since: '2026-11-15T12:00:00Z',
  has_two_factor: true,
})

test.each<[Role | undefined, Role, readonly Role[], RegExp | undefined]>([
  ['owner', 'admin', ['owner', 'admin'], undefined],
  ['admin', 'member', ['owner', 'member'], undefined],
  ['admin', 'owner', ['owner', 'owner'], /Only owners/],
  ['member', 'viewer', ['owner', 'viewer'], /administrator/],
  [undefined, 'viewer', ['owner', 'viewer'], /administrator/],
  ['owner', 'owner', ['owner'], /needs an owner/],
  ['owner', 'owner', ['owner', 'owner'], undefined],
])('as %s, a member who is %s among %j', (own, role, roles, reason) => {
  const members = roles.map((each, index) => member(index, each))
  const result = whyNotManage(members, member(9, role), own)
  if (reason === undefined) expect(result).toBeUndefined()
  else expect(result).toMatch(reason)
})
