// Removes environments from their former server once another one serves them.
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { sortOrphans } from '../../../domain/tasks/task-orphans.ts'
import type { Host } from '../../../remote/host.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { hasTaskOfAnotherServer, listEnvironmentTasks } from '../../../store/tasks/orphans.ts'

type FormerServer = {
  readonly host: Host
  readonly folder: string
  readonly server: Pick<ServerAddress, 'id' | 'runtime'>
}

/** `found`: tasks with files or containers there, by environment. Returns a sentence for everything that had to stay. */
export async function cleanUpMoved(
  ctx: Pick<Context, 'config' | 'db' | 'installationId'>,
  { host, folder, server }: FormerServer,
  found: ReadonlyMap<number, readonly number[]>,
): Promise<readonly string[]> {
  const stayed: string[] = []
  for (const [environmentId, taskIds] of found) {
    // Read right before the removal, because it may have been moved back.
    const [environment] = await listEnvironmentTasks(ctx.db, server.id, [environmentId])
    if (!environment?.left) continue
    // Two servers in the records can be one machine: then what is found here may serve there.
    if (!environment.isGone && (await hasTaskOfAnotherServer(ctx.db, server.id, taskIds))) continue
    const ids = { installationId: ctx.installationId, environmentId }
    const leaving = { folder, ids, taskIds: sortOrphans(environment, taskIds).over, keptOutput: ctx.config.keptOutput }
    const mayLackEngine = !runsContainers[environment.recipe]
    const data = environment.left === 'for good' ? { mayLackEngine } : 'keep data'
    stayed.push(...(await runtimeOf(server).removeMoved(host, leaving, data)))
  }
  return stayed
}
