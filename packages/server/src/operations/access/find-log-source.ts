// Finds the server whose logs a reader asks for: that of the environment, or an earlier one. The rule is that of certificates for logs.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { may } from '../../domain/people/permissions.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { findServer } from '../../store/servers/servers.ts'
import { hasRunOn } from '../../store/tasks/tasks.ts'

type OutputOfEnvironment = { readonly id: number; readonly serverId: number | undefined }
export type LogSource = {
  readonly environmentId: number
  readonly projectId: number
  readonly organizationId: number
  readonly serverId: number
  readonly isLocal: boolean
  /** The caller named the server: it stays, wherever the environment moves to. */
  readonly isNamed: boolean
}

export async function findLogSource(
  ctx: Context,
  actor: Actor,
  { id, serverId }: OutputOfEnvironment,
): Promise<LogSource | undefined> {
  const environment = await findEnvironment(ctx.db, actor, id)
  if (!environment) return undefined
  const server = await findServer(ctx.db, actor, serverId ?? environment.server.id)
  if (!server || server.organizationId !== environment.organizationId) return undefined
  const isCurrent = server.id === environment.server.id
  // A moved environment has left earlier output there.
  if (!isCurrent && !(await hasRunOn(ctx.db, { environmentId: id, serverId: server.id }))) return undefined
  return {
    environmentId: id,
    projectId: environment.projectId,
    organizationId: environment.organizationId,
    serverId: server.id,
    isLocal: server.connection === 'local',
    isNamed: serverId !== undefined,
  }
}

export const mayReadLogs = (actor: Actor, organizationId: number): boolean =>
  actor.scopes.has('ssh') && may(actor, 'certificate', organizationId)
