// Who calls, and whose records. A case that changes records gets fresh ones, so that no case can help another.

import type { Role } from '@shipway/api/people'
import { buildAction, buildArtifact } from '../action-records.ts'
import { buildChannel } from '../channels/channel-records.ts'
import { buildConnection } from '../connections/connection-records.ts'
import {
  buildCertificate,
  buildEnvironment,
  buildForkEnvironment,
  buildInvitation,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
  type Records,
  type TestUser,
} from '../factories.ts'
import { buildHook, buildHookDelivery } from '../hooks/hook-records.ts'

export const CALLERS = [
  'guest',
  'stranger',
  'viewer',
  'member',
  'admin',
  'owner',
  'environment owner',
  'platform administrator',
] as const
export type Caller = (typeof CALLERS)[number]

export const TARGETS = ['own', 'foreign', 'absent'] as const
export type PermissionTarget = (typeof TARGETS)[number]

/** Ids by the words of a path. */
export type TargetIds = {
  readonly organizations: number
  readonly servers: number
  readonly projects: number
  readonly environments: number
  readonly tasks: number
  readonly artifacts: number
  readonly hooks: number
  readonly channels: number
  readonly connections: number
  readonly delivery_id: number
  /** Of an action, which here has a number for a name. */
  readonly name: number
  readonly user_id: number
  readonly invitation_id: number
  /** An environment that awaits approval of the commit that requests.ts names. */
  readonly awaiting: number
  /** A deployment of the environment that succeeded. */
  readonly deployed: number
  /** Only git hosts know hooks; this one does not exist. */
  readonly hook_id: number
  /** Device codes are letters; this cannot be one. */
  readonly user_code: number
}

const ABSENT = 987_654_321
const absent: TargetIds = {
  organizations: ABSENT,
  servers: ABSENT,
  projects: ABSENT,
  environments: ABSENT,
  tasks: ABSENT,
  artifacts: ABSENT,
  hooks: ABSENT,
  channels: ABSENT,
  connections: ABSENT,
  delivery_id: ABSENT,
  name: ABSENT,
  user_id: ABSENT,
  invitation_id: ABSENT,
  awaiting: ABSENT,
  deployed: ABSENT,
  hook_id: ABSENT,
  user_code: ABSENT,
}

export const everyRecord: ReadonlySet<string> = new Set(Object.keys(absent))

export const roleOf = (caller: Caller): Role | undefined => roles[caller]

const roles: Partial<Record<Caller, Role>> = {
  viewer: 'viewer',
  member: 'member',
  admin: 'admin',
  owner: 'owner',
  'environment owner': 'member',
}

export type Situation = {
  readonly caller: TestUser | undefined
  /** The organization that the target lies in. */
  readonly ids: TargetIds
}

/** `wanted` are the words of a path that need records; there are hundreds of cases, so there are no others. */
export type ArrangeOptions = { readonly isProtected: boolean; readonly wanted: ReadonlySet<string> }

export async function arrange(
  ctx: Records,
  caller: Caller,
  target: PermissionTarget,
  options: ArrangeOptions,
): Promise<Situation> {
  const user =
    caller === 'guest'
      ? undefined
      : await buildUser(ctx, { is_platform_admin: caller === 'platform administrator' ? 1 : 0 })
  const others = await buildUser(ctx)
  const role = roleOf(caller)
  const own = await buildOrganization(ctx, [{ user: others, role: 'owner' }, ...(user && role ? [{ user, role }] : [])])
  if (user && caller === 'stranger') await buildOrganization(ctx, [{ user, role: 'owner' }])
  if (target === 'absent') return { caller: user, ids: absent }
  const organization = target === 'own' ? own : await buildOrganization(ctx, [{ user: others, role: 'owner' }])
  // The owner of the organization owns the project too: the webhook secret is the project owner's alone.
  const projectOwner = user && caller === 'owner' ? user.id : others.id
  const environmentOwner = user && caller === 'environment owner' ? user.id : others.id
  const owners = { organizationId: organization.id, projectOwner, environmentOwner, isProtected: options.isProtected }
  const { wanted } = options
  const ids = {
    ...absent,
    organizations: organization.id,
    ...(['user_id', 'invitation_id'].some((word) => wanted.has(word)) && (await buildPeople(ctx, owners))),
    ...(wanted.has('channels') && { channels: (await buildChannel(ctx, organization.id)).id }),
    ...(wanted.has('connections') && { connections: (await buildConnection(ctx, organization.id)).id }),
    ...(wanted.has('servers') && { servers: (await buildServer(ctx, organization.id)).id }),
    ...(['projects', 'environments', 'tasks', 'artifacts', 'hooks'].some((word) => wanted.has(word)) &&
      (await buildProjectRecords(ctx, owners))),
  }
  return { caller: user, ids }
}

/** Of the project of an organization. */
export const baseDomain = (organizationId: number): string => `own-${organizationId}.example.com`

type RecordOwners = { organizationId: number; projectOwner: number; environmentOwner: number; isProtected: boolean }

async function buildPeople(ctx: Records, { organizationId }: RecordOwners): Promise<Partial<TargetIds>> {
  const member = await buildUser(ctx)
  await ctx.db
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: member.id, role: 'member', created_at: ctx.clock() })
    .execute()
  const invitation = await buildInvitation(ctx, organizationId, member.id)
  return { user_id: member.id, invitation_id: invitation.id }
}

async function buildProjectRecords(ctx: Records, owners: RecordOwners): Promise<Partial<TargetIds>> {
  const { organizationId } = owners
  const used = await buildServer(ctx, organizationId)
  const project = await buildProject(
    ctx,
    { organizationId, ownerId: owners.projectOwner, serverId: used.id },
    { domain: baseDomain(organizationId) },
  )
  await buildCertificate(ctx, project.id)
  const environment = await buildEnvironment(ctx, project, {
    owner_id: owners.environmentOwner,
    is_protected: owners.isProtected ? 1 : 0,
  })
  // A task that can be canceled, in an environment of its own: the other one is free to be deployed and deleted.
  const busy = await buildEnvironment(ctx, project, {
    owner_id: owners.environmentOwner,
    is_protected: owners.isProtected ? 1 : 0,
  })
  const task = await buildTask(ctx, busy.id)
  const at = ctx.clock()
  const ended = { status: 'succeeded', commit_sha: 'a'.repeat(40), started_at: at, finished_at: at } as const
  const deployed = await buildTask(ctx, environment.id, ended)
  await buildAction(ctx, environment.id, { name: '7', task_id: deployed.id })
  const artifact = await buildArtifact(ctx, deployed.id)
  const awaiting = await buildForkEnvironment(ctx, project, { number: 7, headSha: 'a'.repeat(40) })
  const hook = await buildHook(ctx, project.id)
  const delivery = await buildHookDelivery(ctx, hook)
  return {
    projects: project.id,
    environments: environment.id,
    tasks: task.id,
    awaiting: awaiting.id,
    deployed: deployed.id,
    artifacts: artifact.id,
    name: 7,
    hooks: hook.id,
    delivery_id: delivery.id,
  }
}
