// Containers that ended tasks have left: started for a version that never came to serve, or replaced by one that does.
import { failedReplacements, leftoverContainers } from '../../../domain/compose/leftover-containers.ts'
import type { Host } from '../../../remote/host.ts'
import { replacedFolder } from '../../deployment.ts'
import { dockerScript } from '../script.ts'
import { bringAllBack } from './bring-back.ts'
import { forgetDefinitions } from './definition.ts'
import { type Container, listContainers, type Place } from './list-containers.ts'
import { removeContainers } from './remove.ts'

/** What the records say of an environment of which no task runs or waits. */
export type Serving = {
  /** The newest task that succeeded, or the one that its routes were set by. */
  readonly taskId: number | null
  /** Whatever stands there gets requests. */
  readonly slots: readonly { readonly service: string; readonly slot: 'a' | 'b' }[]
}

/** The tasks that have containers, by environment. */
export async function listContainerTasks(
  host: Host,
  installationId: string,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { stdout } = await host.run(dockerScript('list-tasks', installationId))
  const found = [...stdout.toString().matchAll(/^(\d+) (\d+)$/gm)].map(([, environmentId, taskId]) => ({
    environmentId: Number(environmentId),
    taskId: Number(taskId),
  }))
  const byEnvironment = Map.groupBy(found, ({ environmentId }) => environmentId)
  return new Map([...byEnvironment].map(([id, own]) => [id, [...new Set(own.map(({ taskId }) => taskId))]]))
}

type Left = Place & { /** Of the environment. */ readonly folder: string }

/** Gives a sentence for each container that was, or could not be, brought back. */
export async function removeLeftContainers(
  host: Host,
  { folder, ...place }: Left,
  { taskId, slots }: Serving,
): Promise<readonly string[]> {
  const tasks = { liveTaskId: taskId, activeTaskId: null }
  const replaced = failedReplacements(await listContainers(host, place), tasks)
  const told = await bringAllBack(host, { ...place, folder }, replaced)
  const containers = await listContainers(host, place)
  const isRouted = ({ service, slot }: Container): boolean =>
    slots.some((routed) => routed.service === service && routed.slot === slot)
  await removeContainers(
    host,
    leftoverContainers(containers, tasks).filter((container) => !isRouted(container)),
  )
  if (failedReplacements(containers, tasks).length === 0) await forgetDefinitions(host, replacedFolder(folder))
  return told
}
