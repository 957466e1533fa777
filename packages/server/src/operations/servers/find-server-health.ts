// The health of a server by the records alone: its last check, its running tasks and its environments.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { listEnvironmentsOfServer } from '../../store/environments/environments.ts'
import { listProjectNames } from '../../store/projects/projects.ts'
import { findServerCheck, type KeptCheck } from '../../store/servers/server-checks.ts'
import { findServer } from '../../store/servers/servers.ts'
import { countRunningOn } from '../../store/tasks/task-queue.ts'
import { orNotFound } from '../or-not-found.ts'

export type ServerHealth = {
  readonly serverId: number
  /** Undefined before the first check at this address. */
  readonly check: KeptCheck | undefined
  readonly running: number
  readonly environments: readonly (Pick<
    Environment,
    'id' | 'name' | 'projectId' | 'awaitsApproval' | 'isDegraded' | 'tasks'
  > & {
    readonly projectName: string
  })[]
}

const MOST_LISTED = 200

export async function findServerHealth(ctx: Context, actor: Actor, id: number): Promise<ServerHealth> {
  const server = orNotFound(await findServer(ctx.db, actor, id), 'server')
  const environments = await listEnvironmentsOfServer(ctx.db, server.id, MOST_LISTED)
  const names = await listProjectNames(
    ctx.db,
    environments.map(({ projectId }) => projectId),
  )
  return {
    serverId: server.id,
    check: await findServerCheck(ctx.db, server.id),
    running: await countRunningOn(ctx.db, server.id),
    environments: environments.map((one) => ({ ...one, projectName: names.get(one.projectId) ?? '' })),
  }
}
