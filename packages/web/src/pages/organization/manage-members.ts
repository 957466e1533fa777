// Which roles a user can give and take.
import { type Member, ROLES, type Role } from '@shipway/api'

export const mayManage = (own: Role | undefined, role: Role): boolean =>
  own !== undefined && ROLES.indexOf(own) >= ROLES.indexOf('admin') && ROLES.indexOf(role) <= ROLES.indexOf(own)

/** Why a member cannot be changed or removed. */
export function whyNotManage(members: readonly Member[], { role }: Member, own: Role | undefined): string | undefined {
  if (!mayManage(own, role)) {
    return role === 'owner' ? 'Only owners can change an owner' : 'Only administrators of the organization can do this'
  }
  return whyLastOwner(members, role)
}

export function whyLastOwner(members: readonly Member[], role: Role): string | undefined {
  const isLast = role === 'owner' && members.filter((member) => member.role === 'owner').length === 1
  return isLast ? 'An organization needs an owner. Make another member owner first' : undefined
}
