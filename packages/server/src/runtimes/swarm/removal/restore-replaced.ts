// Puts services that a failed deployment has updated in place back to the version that served before. The Swarm keeps that version itself.
import { setTimeout as pause } from 'node:timers/promises'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { isRunning, type SwarmService, type SwarmTask, tasksOf } from '../../../domain/swarm/swarm-view.ts'
import { runDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import { listSwarm } from '../view/list-swarm.ts'

/** Returns a sentence for each service: whether it runs again within half a minute. May be repeated. */
export async function restoreReplaced(
  host: Host,
  owner: ContainerOwner,
  servingTaskId: number | null,
): Promise<readonly string[]> {
  const { services } = await listSwarm(host, owner)
  const replaced = services.filter((one) => isReplaced(one, servingTaskId))
  for (const service of replaced) {
    const sentence = `${service.service} cannot be brought back on ${host.name}`
    await runDocker(host, dockerScript('roll-back-service', service.id, String(service.task)), sentence)
  }
  return replaced.length > 0 ? awaitBack(host, owner, replaced) : []
}

async function awaitBack(
  host: Host,
  owner: ContainerOwner,
  replaced: readonly SwarmService[],
): Promise<readonly string[]> {
  const end = performance.now() + BACK_MS
  for (;;) {
    const view = await listSwarm(host, owner)
    const states = replaced.map(({ id, service: name }) => {
      const service = view.services.find((one) => one.id === id)
      return { name, tasks: service ? tasksOf(view, service).filter(({ task }) => task === service.task) : [] }
    })
    const isBack = (tasks: readonly SwarmTask[]): boolean => tasks.some(isRunning)
    if (states.every(({ tasks }) => isBack(tasks)) || performance.now() >= end)
      return states.map(({ name, tasks }) =>
        isBack(tasks)
          ? `${name} is back as it was before`
          : `${name} goes back to the version before, which does not run yet${reasonOf(tasks)}`,
      )
    await pause(LOOK_MS)
  }
}

const BACK_MS = 30_000
const LOOK_MS = 500

/** What the Swarm says of its newest task. */
function reasonOf(tasks: readonly SwarmTask[]): string {
  const error = tasks.toSorted((a, b) => b.createdAt - a.createdAt)[0]?.error ?? ''
  return error === '' ? '' : `: ${error}`
}

/** Updated by a deployment that does not serve, from one that did. */
const isReplaced = (
  { mode, task, previousTask }: Pick<SwarmService, 'mode' | 'task' | 'previousTask'>,
  servingTaskId: number | null,
): boolean =>
  mode === 'in_place' &&
  servingTaskId !== null &&
  task > servingTaskId &&
  previousTask !== null &&
  previousTask <= servingTaskId
