// Services that ended tasks have left on a Swarm: started for a version that never came to serve, or replaced by one that does.

import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import { leftServices } from '../../../domain/swarm/serving-services.ts'
import { ChecksFailed, StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { installationOf } from '../../compose/orphans/orphaned-files.ts'
import type { OrphanKind, Serving } from '../../orphan.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { removeEnvironment } from './remove-environment.ts'
import { removeServices, removeUnusedParts } from './remove-version.ts'
import { restoreReplaced } from './restore-replaced.ts'

export const serviceOrphans: OrphanKind = {
  list: async (host, { folder, environmentIds }) => {
    const { services } = await listSwarm(host, { installationId: installationOf(folder) })
    const wanted = services.filter(
      ({ environment, task }) => task > 0 && (environmentIds === undefined || environmentIds.includes(environment)),
    )
    const byEnvironment = Map.groupBy(wanted, ({ environment }) => environment)
    const tasks = [...byEnvironment].map(([id, own]) => [id, [...new Set(own.map(({ task }) => task))]] as const)
    return { tasks: new Map(tasks), projectIds: [], paths: [] }
  },
  remove: async (host, { folder }, orphans) => {
    const installationId = installationOf(folder)
    const stayed: string[] = []
    for (const { environmentId, isGone, serving, tasks } of orphans) {
      const owner = { installationId, environmentId }
      const taskIds = [...tasks.live, ...tasks.kept, ...tasks.over]
      if (isGone) stayed.push(...(await removeEnvironment(host, owner, { mayLackEngine: false })))
      else if (serving) await removeOrphans(host, owner, { taskIds, serving })
    }
    return stayed
  },
}

type Owner = { readonly installationId: string; readonly environmentId: number }

/** Removes only what these ended tasks have left. Throws where an updated service could not be put back. */
async function removeOrphans(
  host: Host,
  owner: Owner,
  { taskIds, serving: { taskId, routed, isIdle } }: { readonly taskIds: readonly number[]; readonly serving: Serving },
): Promise<void> {
  const failures: string[] = []
  if (await isIdle()) {
    try {
      await restoreReplaced(host, owner, taskId)
    } catch (error) {
      if (!(error instanceof StepFault)) throw error
      failures.push(error.message)
    }
  }
  const { services } = await listSwarm(host, owner)
  const left = new Set(leftServices(services, taskId))
  const doomed = services.filter(
    (service) =>
      taskIds.includes(service.task) &&
      (service.mode === ONE_OFF || left.has(service)) &&
      !routed.some((route) => route.service === service.service && route.slot === service.slot),
  )
  await removeServices(host, doomed)
  if (await isIdle()) {
    const left = services.filter((service) => !doomed.includes(service)).map(({ task }) => task)
    await removeUnusedParts(host, owner, { engine: 'required', keptTaskIds: [...new Set([...left, taskId ?? 0])] })
  }
  if (failures.length > 0) throw ChecksFailed(failures)
}
