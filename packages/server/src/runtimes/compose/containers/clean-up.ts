// After the switch: drains the old containers and removes them. Nothing here fails the deployment, which already serves.
import { setTimeout as pause } from 'node:timers/promises'
import { dockerScript } from '../../../commands/docker/script.ts'
import { cleanUp } from '../../../deployment/clean-up.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { ONE_OFF, orphanedContainers } from '../../../domain/compose/orphaned-containers.ts'
import type { Host } from '../../../remote/host.ts'
import type { RuntimeContext } from '../../runtime-context.ts'
import { listNetworks } from '../networks/list-networks.ts'
import { removeNetworks } from '../networks/remove-networks.ts'
import type { Start } from '../plan.ts'
import { type KeptOutput, keepOutput } from './keep-output.ts'
import { type Container, listContainers } from './list-containers.ts'
import { retireContainers } from './remove.ts'

const POLL_MS = 100

type Draining = { readonly deployment: Deployment; readonly ports: readonly number[] }

export function drainOldVersion(
  io: StepIo,
  context: Pick<RuntimeContext, 'countStreams'>,
  draining: Draining,
): Promise<void> {
  return cleanUp(io, () => drain(io, context, draining))
}

/** Removes the old containers after the task: a process that ignores its stop signal takes ten seconds. */
export function removeOldVersion(
  io: StepIo,
  context: Pick<RuntimeContext, 'afterwards'>,
  { deployment, ...old }: { readonly deployment: Deployment; readonly folders: Folders; readonly plan: Start },
): Promise<void> {
  return cleanUp(io, async () => {
    await forgetSecrets(io.host, old.folders)
    const connected = await findConnected(io.host, deployment, old.plan)
    context.afterwards(() => removeOld(io.host, deployment, old))
    return connected
  })
}

/** These files hold values of variables, and nothing needs them once the new version serves. After a failure the clean-up removes them. */
async function forgetSecrets(host: Host, { replaced, checked, compose, republished, mounted }: Folders): Promise<void> {
  await host.run(['rm', '-rf', '--', replaced, checked, compose, republished, mounted])
}

/**
 * Finds unchanged services that are connected to a container that is about to be removed, without a dependency on its service: they
 * have to resolve its name again, or keep calling an address that no longer answers. Returns a sentence for each.
 */
async function findConnected(host: Host, { ids, taskId }: Deployment, plan: Start): Promise<readonly string[]> {
  const namesOf = (mode: string): string[] =>
    plan.services.filter((service) => service.mode === mode && service.hasContainer).map(({ name }) => name)
  const [unchanged, replaced] = [namesOf('unchanged'), namesOf('beside')]
  if (unchanged.length === 0 || replaced.length === 0) return []
  const running = (await listContainers(host, ids)).filter(({ status }) => status === 'running')
  const from = running.filter(({ service }) => unchanged.includes(service))
  const to = running.filter(({ service, task }) => replaced.includes(service) && task !== taskId)
  if (from.length === 0 || to.length === 0) return []
  const idsOf = (containers: readonly Container[]): string[] => containers.map(({ id }) => id)
  const { stdout } = await host.run(dockerScript('find-connections', String(from.length), ...idsOf(from), ...idsOf(to)))
  const serviceOf = (id: string | undefined): string | undefined => running.find((one) => one.id === id)?.service
  const found = stdout.toString().split('\n').filter(Boolean)
  const sentences = found.map((line) => {
    const [client, server] = line.split(' ').map(serviceOf)
    return (
      `${client} did not change and is connected to the old container of ${server}, which goes now. ` +
      `Name ${server} under depends_on of ${client}: then both are replaced together`
    )
  })
  return [...new Set(sentences)]
}

async function drain(
  { signal }: StepIo,
  context: Pick<RuntimeContext, 'countStreams'>,
  { deployment: { drainSeconds: seconds }, ports }: Draining,
): Promise<string[]> {
  const end = performance.now() + seconds * 1000
  let open = await context.countStreams(ports)
  while (open > 0 && performance.now() < end) {
    await pause(POLL_MS, undefined, { signal })
    open = await context.countStreams(ports)
  }
  return open > 0
    ? [`${open} requests or WebSockets are still open after ${seconds} s, and end with the old version`]
    : []
}

async function removeOld(
  host: Host,
  deployment: Deployment,
  { folders, plan }: { readonly folders: Folders; readonly plan: Start },
): Promise<string[]> {
  const names = new Set(plan.services.map(({ name }) => name))
  const all = await listContainers(host, deployment.ids)
  // A later deployment checks its own containers; one-off commands belong to no service and go on.
  const containers = all.filter(({ task, mode }) => task <= deployment.taskId && mode !== ONE_OFF)
  const left = orphanedContainers(containers, { liveTaskId: deployment.taskId, activeTaskId: null })
  const unknown = containers.filter(({ service }) => !names.has(service))
  const { installationId, environmentId } = deployment.ids
  const tags = [deployment.taskId, ...deployment.keptTaskIds].map(String)
  const old = new Set([...left, ...unknown])
  // In parallel: the images of the old containers are among those that are kept.
  const [{ stdout }, notes] = await Promise.all([
    host.run(dockerScript('remove-images', installationId, String(environmentId), ...tags)),
    retire(host, { folder: folders.output, limits: deployment.keptOutput }, [...old]),
  ])
  const stayed = await removeOldNetworks(
    host,
    deployment,
    all.filter((container) => !old.has(container)),
  )
  return [...notes, ...stdout.toString().split('\n').filter(Boolean), ...stayed]
}

/** A later deployment that is under way removes them itself. */
async function removeOldNetworks(
  host: Host,
  { ids, taskId }: Deployment,
  containers: readonly Container[],
): Promise<readonly string[]> {
  if (containers.some(({ task }) => task > taskId)) return []
  const networks = await listNetworks(host, ids)
  return removeNetworks(host, { networks, containers, mayGo: (release) => release <= taskId })
}

/** Also with no containers: Compose may have removed some, and the oldest output has to be trimmed. */
async function retire(host: Host, kept: KeptOutput, old: readonly Container[]): Promise<readonly string[]> {
  return old.length > 0 ? retireContainers(host, kept, old) : keepOutput(host, kept, [])
}
