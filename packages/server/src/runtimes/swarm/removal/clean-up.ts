// After the switch: drains the old version and removes it. Nothing here fails the deployment, which already serves.
import { setTimeout as pause } from 'node:timers/promises'
import { dockerScript } from '../../../commands/docker/script.ts'
import { cleanUp } from '../../../deployment/clean-up.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import type { Registry } from '../../../deployment/registry.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import { leftServices } from '../../../domain/swarm/serving-services.ts'
import type { Host } from '../../../remote/host.ts'
import type { RuntimeContext } from '../../runtime-context.ts'
import { removeUnusedImages } from '../registry/clean-registry.ts'
import type { ServiceStart } from '../start/plan.ts'
import { stackFolder } from '../start/stack-folder.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { removeUnusedParts, retireServices } from './remove-version.ts'

const LOOK_MS = 100

type Draining = { readonly deployment: Pick<Deployment, 'drainSeconds'>; readonly groups: readonly number[] }

export function drainOldVersion(
  io: StepIo,
  context: Pick<RuntimeContext, 'countStreams' | 'retryLeftOut'>,
  { deployment: { drainSeconds: seconds }, groups }: Draining,
): Promise<void> {
  return cleanUp(io, async () => {
    // A manager that was out of reach for a moment must not lead to containers that are about to go.
    const leftOut = await context.retryLeftOut()
    const end = performance.now() + seconds * 1000
    let open = await context.countStreams(groups)
    while (open > 0 && performance.now() < end) {
      await pause(LOOK_MS, undefined, { signal: io.signal })
      open = await context.countStreams(groups)
    }
    const isOpen = `${open} requests or WebSockets are still open after ${seconds} s, and end with the old version`
    return [...leftOut.map(stillAwaySentence), ...(open > 0 ? [isOpen] : [])]
  })
}

const stillAwaySentence = (address: string): string =>
  `The manager ${address} still cannot be reached. What comes in through it gets errors from now on, until it is back`

type OldVersion = {
  readonly folders: Pick<Folders, 'task' | 'checked' | 'output'>
  readonly plan: { readonly services: readonly Pick<ServiceStart, 'swarmName'>[] }
  readonly registry: Registry
}

type ServingDeployment = Pick<Deployment, 'ids' | 'taskId' | 'keptTaskIds' | 'keptOutput'>

/** Removes the old services after the task: a process that ignores its stop signal takes ten seconds. */
export function removeOldVersion(
  io: StepIo,
  context: Pick<RuntimeContext, 'afterwards' | 'balance'>,
  { deployment, ...old }: OldVersion & { readonly deployment: ServingDeployment },
): Promise<void> {
  return cleanUp(io, async () => {
    // They hold values of variables, and nothing needs them once the new version serves.
    await io.host.run(['rm', '-rf', '--', stackFolder(old.folders), old.folders.checked])
    context.afterwards(async () => {
      const stayed = await removeOld(io.host, deployment, old)
      await context.balance()
      return stayed
    })
    return []
  })
}

async function removeOld(
  host: Host,
  { ids, taskId, keptTaskIds, keptOutput: limits }: ServingDeployment,
  { folders, plan, registry }: OldVersion,
): Promise<readonly string[]> {
  const planned = new Set(plan.services.map(({ swarmName }) => swarmName))
  const { services } = await listSwarm(host, ids)
  // A later deployment checks its own services.
  const own = services.filter(({ task, mode }) => task <= taskId && mode !== ONE_OFF)
  const left = new Set(leftServices(own, taskId))
  const old = own.filter((service) => left.has(service) || !planned.has(service.name))
  const notes = await retireServices(host, { folder: folders.output, limits }, old)
  const later = services.filter(({ task }) => task > taskId).map(({ task }) => task)
  const oneOffs = services.filter(({ mode }) => mode === ONE_OFF).map(({ task }) => task)
  const stayed = await removeUnusedParts(host, ids, {
    engine: 'required',
    keptTaskIds: [taskId, ...later, ...oneOffs],
  })
  const tags = [taskId, ...keptTaskIds].map(String)
  const images = dockerScript('remove-images', ids.installationId, String(ids.environmentId), ...tags)
  const { stdout } = await host.run(images)
  await removeUnusedImages(host, registry, { ...ids, taskIds: [taskId, ...keptTaskIds, ...later] })
  return [...notes, ...stayed, ...stdout.toString().split('\n').filter(Boolean)]
}
