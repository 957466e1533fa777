// Why the members of an organization cannot be changed or removed.
import { type Member, mayGrant, type Role } from '@shipway/api'

/** Why a member cannot be changed or removed. */
export function whyNotManage(members: readonly Member[], { role }: Member, own: Role | undefined): string | undefined {
  if (!mayGrant(own, role)) {
    return role === 'owner' ? 'Only owners can change an owner' : 'Only administrators of the organization can do this'
  }
  return whyLastOwner(members, role)
}

export function whyLastOwner(members: readonly Member[], role: Role): string | undefined {
  const isLast = role === 'owner' && members.filter((member) => member.role === 'owner').length === 1
  return isLast ? 'An organization needs an owner. Make another member owner first' : undefined
}
