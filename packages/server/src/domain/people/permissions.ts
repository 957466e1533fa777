// Who may do what. This table is the rule, the reference page and the list of generated tests.
import { ROLES, type Role } from '@shipway/api/people'
import type { Permission } from '@shipway/api/route'
import { Forbidden, TokenBound } from '../errors.ts'
import { type Actor, type Automatic, boundOrganization } from './actor.ts'

/** Permissions that a role in the organization gives: the least role that has it. */
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

export function may(actor: Actor, permission: RolePermission, organizationId: number): boolean {
  const role = actor.roles.get(organizationId)
  return role !== undefined && isAtLeast(role, LEAST_ROLE[permission])
}

export function demand(actor: Actor, permission: RolePermission, organizationId: number): void {
  if (!may(actor, permission, organizationId)) {
    const least = LEAST_ROLE[permission]
    throw Forbidden(`This needs the role ${least} in the organization${least === 'owner' ? '' : ', or a higher one'}`)
  }
}

/** For what concerns the whole installation. A token that is bound to an organization does not reach beyond it, whoever has it. */
export function demandPlatformAdmin(actor: Actor): void {
  if (!actor.isPlatformAdmin) throw Forbidden('This is for platform administrators')
  if (boundOrganization(actor) !== null) throw TokenBound()
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

type Owned = { readonly organizationId: number; readonly owner: { readonly id: number } }

/** Somebody who was made a viewer has lost the rights of an owner, whatever the record still says. */
export function ownsProject(actor: Actor, project: Owned): boolean {
  return project.owner.id === actor.userId && mayOwn(actor.roles.get(project.organizationId))
}

/** The project's owner and nobody else, whatever the role. */
export function demandOwnership(actor: Actor, project: Owned): void {
  if (!ownsProject(actor, project)) throw Forbidden('Only the owner of the project can do this')
}

/** Projects and environments belong to somebody who can do more than look. */
export const mayOwn = (role: Role | undefined): boolean => role !== undefined && isAtLeast(role, 'member')

/** Who may leave on a server what is there: the project's owner, an owner of the organization, or a platform administrator in it. */
export function demandAbandonment(actor: Actor, project: Owned): void {
  const { organizationId } = project
  const isAdministrator = actor.isPlatformAdmin && actor.roles.has(organizationId)
  if (ownsProject(actor, project) || isAdministrator || may(actor, 'own_organization', organizationId)) return
  throw Forbidden('Only the owner of the project, or an owner of the organization, can give up what is on a server')
}

/** Roles that a member may give, take away, or change: up to its own, and owners only by owners. */
export function mayManageRole(actor: Actor, organizationId: number, role: Role): boolean {
  return mayGrant(actor.roles.get(organizationId), role)
}

/** `own`: the role of whoever gives; undefined where that person is not in the organization. */
export function mayGrant(own: Role | undefined, role: Role): boolean {
  return own !== undefined && isAtLeast(own, LEAST_ROLE.manage_members) && isAtLeast(own, role)
}
