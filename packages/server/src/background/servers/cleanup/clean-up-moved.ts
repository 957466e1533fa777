// Removes environments from their former server once another one serves them.
import type { Context } from '../../../context.ts'
import { sortOrphans } from '../../../domain/tasks/task-orphans.ts'
import type { Host } from '../../../remote/host.ts'
import { removeButKeepData, removeWithData } from '../../../runtimes/compose/orphans/clean-up-moved.ts'
import { hasTaskOfAnotherServer, listEnvironmentTasks } from '../../../store/tasks/orphans.ts'

type FormerServer = { readonly host: Host; readonly folder: string; readonly serverId: number }

/** `found`: tasks with files or containers there, by environment. Returns a sentence for everything that had to stay. */
export async function cleanUpMoved(
  ctx: Pick<Context, 'config' | 'db' | 'installationId'>,
  { host, folder, serverId }: FormerServer,
  found: ReadonlyMap<number, readonly number[]>,
): Promise<readonly string[]> {
  const stayed: string[] = []
  for (const [environmentId, taskIds] of found) {
    // Read right before the removal, because it may have been moved back.
    const [environment] = await listEnvironmentTasks(ctx.db, serverId, [environmentId])
    if (!environment?.left) continue
    // Two servers in the records can be one machine: then what is found here may serve there.
    if (!environment.isGone && (await hasTaskOfAnotherServer(ctx.db, serverId, taskIds))) continue
    const ids = { installationId: ctx.installationId, environmentId }
    const leaving = { folder, ids, taskIds: sortOrphans(environment, taskIds).over, keptOutput: ctx.config.keptOutput }
    const sentences =
      environment.left === 'for good'
        ? await removeWithData(host, leaving, environment.recipe)
        : await removeButKeepData(host, leaving)
    stayed.push(...sentences)
  }
  return stayed
}
