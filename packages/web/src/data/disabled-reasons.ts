// Why an action is disabled, as a sentence without period; undefined if it is allowed. The API enforces the same rules.
import {
  type Environment,
  hasPermission,
  LEAST_ROLE,
  type Me,
  type Project,
  type Role,
  type RolePermission,
} from '@shipway/api'

export const IN_PROGRESS = 'A deployment of this environment is queued or running'

export type Membership = { readonly me: Me; readonly organizationId: number | undefined }

export function roleIn({ me, organizationId }: Membership): Role | undefined {
  return me.organizations.find(({ id }) => id === organizationId)?.role
}

const ROLE_NEEDED: Readonly<Record<Role, string>> = {
  viewer: 'Only members of the organization can do this',
  member: 'Viewers have read-only access. Members can do this',
  admin: 'Only administrators of the organization can do this',
  owner: 'Only owners of the organization can do this',
}

/** Reason if the user's role lacks the permission, by the table of the contract. */
export function missingPermission(permission: RolePermission, membership: Membership): string | undefined {
  return hasPermission(roleIn(membership), permission) ? undefined : ROLE_NEEDED[LEAST_ROLE[permission]]
}

/** Reason if the environment is protected and the user is not its owner. */
export function whyProtected({ me }: Membership, { protected: isProtected, owner }: Environment): string | undefined {
  if (!isProtected || owner.id === me.id) return undefined
  return `This environment is protected. Only ${owner.name} can deploy, change or delete it`
}

export function whyNotDeploy(membership: Membership, environment: Environment): string | undefined {
  if (environment.status === 'removing') return 'The environment is being removed'
  if (environment.status === 'awaiting_approval') return 'The commit is awaiting approval'
  if (environment.locked) return IN_PROGRESS
  return missingPermission('deploy', membership) ?? whyProtected(membership, environment)
}

export function whyNotCreate(membership: Membership, project: Project): string | undefined {
  const { environment_limit: limit, environments_used: used, status } = project
  if (status === 'deleting') return 'The project is being deleted'
  if (used >= limit) {
    return `The project has reached its limit of ${limit} environments. Delete one, or ask a platform administrator to raise it`
  }
  return missingPermission('deploy', membership)
}
