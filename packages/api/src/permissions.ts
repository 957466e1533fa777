// The least role of each permission, and the rules about roles. The server enforces them; the dashboard explains them beforehand.
import { ROLES, type Role } from './people.ts'
import type { Permission } from './route.ts'

/** The least role in the organization that has a permission. The reference page and the generated tests read this table, too. */
export const LEAST_ROLE = {
  read: 'viewer',
  certificate: 'viewer',
  deploy: 'member',
  administer: 'admin',
  manage_members: 'admin',
  own_organization: 'owner',
  /** Another recipe than the project's. */
  choose_recipe: 'admin',
  /** Commands of the repository on the server. */
  allow_manual_recipe: 'owner',
} as const satisfies Partial<Record<Permission, Role>>

export type RolePermission = keyof typeof LEAST_ROLE

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** `role`: undefined for users outside of the organization. */
export function hasPermission(role: Role | undefined, permission: RolePermission): boolean {
  return role !== undefined && isAtLeast(role, LEAST_ROLE[permission])
}

/** Only members and above can own projects and environments. */
export const mayOwn = (role: Role | undefined): boolean => role !== undefined && isAtLeast(role, 'member')

/** Members may grant, revoke or change roles up to their own, if they may manage members at all. */
export function mayGrant(own: Role | undefined, role: Role): boolean {
  return own !== undefined && hasPermission(own, 'manage_members') && isAtLeast(own, role)
}

type Abandoner = {
  readonly role: Role | undefined
  readonly isPlatformAdmin: boolean
  readonly isProjectOwner: boolean
}

/**
 * Whether a user may delete records whose data stays on a server: the project's owner, an owner of the organization, or a platform
 * administrator who is a member of it. A project owner who became a viewer has lost that right.
 */
export function mayAbandon({ role, isPlatformAdmin, isProjectOwner }: Abandoner): boolean {
  if (role === undefined) return false
  return isPlatformAdmin || hasPermission(role, 'own_organization') || (isProjectOwner && mayOwn(role))
}
