// Who may do what. This table is the rule, the reference page and the list of generated tests.
import { ROLES, type Role } from '@shipway/api/people'
import type { Permission } from '@shipway/api/route'
import type { Actor, Automatic } from './actor.ts'
import { Forbidden } from './errors.ts'

/** Permissions that a role in the organization gives: the least role that has it. */
export const LEAST_ROLE = {
  read: 'viewer',
  certificate: 'viewer',
  deploy: 'member',
  administer: 'admin',
  manage_members: 'admin',
  own_organization: 'owner',
} as const satisfies Partial<Record<Permission, Role>>

export type RolePermission = keyof typeof LEAST_ROLE

function may(actor: Actor, permission: RolePermission, organizationId: number): boolean {
  const role = actor.roles.get(organizationId)
  return role !== undefined && isAtLeast(role, LEAST_ROLE[permission])
}

export function demand(actor: Actor, permission: RolePermission, organizationId: number): void {
  if (!may(actor, permission, organizationId)) {
    const least = LEAST_ROLE[permission]
    throw Forbidden(`This needs the role ${least} in the organization${least === 'owner' ? '' : ', or a higher one'}`)
  }
}

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** Nobody else, whatever the role: a protected environment is its owner's. */
export function mayChangeProtected(
  actor: Actor | Automatic,
  environment: { isProtected: boolean; owner: { id: number } },
): boolean {
  return !environment.isProtected || environment.owner.id === actor.userId
}

/** The project's owner, while in the organization, and nobody else, whatever the role. */
export function demandOwnership(actor: Actor, project: { organizationId: number; owner: { id: number } }): void {
  if (!actor.roles.has(project.organizationId) || project.owner.id !== actor.userId) {
    throw Forbidden('Only the owner of the project can do this')
  }
}

/** Roles that a member may give, take away, or change: up to its own, and owners only by owners. */
export function mayManageRole(actor: Actor, organizationId: number, role: Role): boolean {
  const own = actor.roles.get(organizationId)
  return own !== undefined && may(actor, 'manage_members', organizationId) && isAtLeast(own, role)
}
