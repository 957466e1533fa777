// Who may do what. The table of roles is part of the contract: packages/api/src/permissions.ts.
import type { Role } from '@shipway/api/people'
import { hasPermission, LEAST_ROLE, mayAbandon, mayGrant, mayOwn, type RolePermission } from '@shipway/api/permissions'
import { Forbidden, TokenBound } from '../errors.ts'
import { type Actor, type Automatic, boundOrganization } from './actor.ts'

export function may(actor: Actor, permission: RolePermission, organizationId: number): boolean {
  return hasPermission(actor.roles.get(organizationId), permission)
}

export function demand(actor: Actor, permission: RolePermission, organizationId: number): void {
  if (!may(actor, permission, organizationId)) {
    const least = LEAST_ROLE[permission]
    throw Forbidden(`This needs the role ${least} in the organization${least === 'owner' ? '' : ', or a higher one'}`)
  }
}

/** For the whole installation. A token that is bound to an organization never reaches beyond it, even an administrator's. */
export function demandPlatformAdmin(actor: Actor): void {
  if (!actor.isPlatformAdmin) throw Forbidden('This is for platform administrators')
  if (boundOrganization(actor) !== null) throw TokenBound()
}

/** Only its owner, whatever the role. */
export function mayChangeProtected(
  actor: Actor | Automatic,
  environment: { isProtected: boolean; owner: { id: number } },
): boolean {
  return !environment.isProtected || environment.owner.id === actor.userId
}

type OwnedResource = { readonly organizationId: number; readonly owner: { readonly id: number } }

/** A member who was made a viewer has lost the rights of an owner, even if the record still names that member. */
export function ownsProject(actor: Actor, project: OwnedResource): boolean {
  return project.owner.id === actor.userId && mayOwn(actor.roles.get(project.organizationId))
}

/** Only the project's owner, whatever the role. */
export function demandOwnership(actor: Actor, project: OwnedResource): void {
  if (!ownsProject(actor, project)) throw Forbidden('Only the owner of the project can do this')
}

export function demandAbandonment(actor: Actor, project: OwnedResource): void {
  const role = actor.roles.get(project.organizationId)
  const isProjectOwner = project.owner.id === actor.userId
  if (mayAbandon({ role, isPlatformAdmin: actor.isPlatformAdmin, isProjectOwner })) return
  throw Forbidden('Only the owner of the project, or an owner of the organization, can give up what is on a server')
}

/** Roles that a member may give, take away, or change: up to its own, and owners only by owners. */
export function mayManageRole(actor: Actor, organizationId: number, role: Role): boolean {
  return mayGrant(actor.roles.get(organizationId), role)
}
