// Containers that ended tasks have left: started for a version that never came to serve, or replaced by one that does.
import { dockerScript } from '../../../commands/docker/script.ts'
import { outputFolder, replacedFolder } from '../../../deployment/folders.ts'
import { failedReplacements, ONE_OFF, orphanedContainers } from '../../../domain/compose/orphaned-containers.ts'
import { isAfterServing } from '../../../domain/compose/release-networks.ts'
import { readReportedNumber } from '../../../domain/reported-number.ts'
import { ChecksFailed } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import type { OrphanKind, Serving } from '../../orphan.ts'
import { forgetDefinitions } from '../containers/definition.ts'
import { type Container, listContainers } from '../containers/list-containers.ts'
import { removeEverything, retireContainers } from '../containers/remove.ts'
import { type EnvironmentContainers, restoreReplaced } from '../containers/restore-replaced.ts'
import { listNetworks } from '../networks/list-networks.ts'
import { removeNetworks } from '../networks/remove-networks.ts'
import { installationOf } from './orphaned-files.ts'

/** An unchanged service runs in a container of an old task, so `tasks` alone cannot say whether it is an orphan. */
export const containerOrphans: OrphanKind = {
  list: async (host, { folder, environmentIds }) => {
    const found = await listContainerTasks(host, installationOf(folder))
    const isWanted = (id: number): boolean => environmentIds === undefined || environmentIds.includes(id)
    return { tasks: new Map([...found].filter(([id]) => isWanted(id))), projectIds: [], paths: [] }
  },
  remove: async (host, { folder }, orphans) => {
    const installationId = installationOf(folder)
    for (const { environmentId, isGone, serving, tasks } of orphans) {
      const owner = { installationId, environmentId }
      const environment = `${folder}/environments/${environmentId}`
      const taskIds = [...tasks.live, ...tasks.kept, ...tasks.over]
      if (isGone) await removeEverything(host, owner, { mayLackEngine: false })
      else if (serving)
        await removeOrphanedContainers(
          host,
          { ...owner, folder: environment, keptOutput: serving.keptOutput },
          { taskIds, serving },
        )
    }
    return []
  },
}

/** The tasks that have containers or networks, by environment. */
export async function listContainerTasks(
  host: Host,
  installationId: string,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { stdout } = await host.run(dockerScript('list-tasks', installationId))
  const found = stdout
    .toString()
    .split('\n')
    .flatMap((line) => {
      // An image can set any label: ignore what is no id of ours.
      const [environmentId, taskId, ...more] = line.split(' ').map(readReportedNumber)
      return environmentId === undefined || taskId === undefined || more.length > 0 ? [] : [{ environmentId, taskId }]
    })
  const byEnvironment = Map.groupBy(found, ({ environmentId }) => environmentId)
  return new Map([...byEnvironment].map(([id, own]) => [id, [...new Set(own.map(({ taskId }) => taskId))]]))
}

/** Removes only what these ended tasks have left. Throws where a replaced container could not be restored. */
export async function removeOrphanedContainers(
  host: Host,
  environment: EnvironmentContainers,
  { taskIds, serving: { taskId, routed, isIdle } }: { readonly taskIds: readonly number[]; readonly serving: Serving },
): Promise<void> {
  const tasks = { liveTaskId: taskId, activeTaskId: null }
  const restored = (await isIdle()) ? await restoreReplaced(host, environment, taskId) : []
  const containers = await listContainers(host, environment)
  const waiting = failedReplacements(containers, tasks)
  const isRouted = ({ service, slot, status }: Container): boolean =>
    status === 'running' && routed.some((port) => port.service === service && port.slot === slot)
  const oneOffs = containers.filter(({ mode }) => mode === ONE_OFF)
  const doomed = [...orphanedContainers(containers, tasks), ...oneOffs].filter(
    (container) => taskIds.includes(container.task) && !waiting.includes(container) && !isRouted(container),
  )
  await retireContainers(host, { folder: outputFolder(environment.folder), limits: environment.keptOutput }, doomed)
  if (await isIdle()) {
    const isWaiting = waiting.length > 0
    const rest = containers.filter((container) => !doomed.includes(container))
    // A network of a task that began meanwhile is not among them.
    const mayGo = (release: number): boolean =>
      isWaiting && !isAfterServing(release, taskId) ? false : release === 0 || taskIds.includes(release)
    await removeNetworks(host, { networks: await listNetworks(host, environment), containers: rest, mayGo })
    if (!isWaiting) await forgetDefinitions(host, replacedFolder(environment.folder))
  }
  const failures = restored.filter(({ outcome }) => outcome === 'failed').map(({ sentence }) => sentence)
  if (failures.length > 0) throw ChecksFailed(failures)
}
