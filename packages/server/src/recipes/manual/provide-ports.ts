// Provides the ports of the manual recipe: reserves those that the file names, allocates the others, and checks who listens on them.
//
// The application of an earlier release listens during a deployment, so a port in use is not always foreign. Processes that
// deploy tasks have started are recognised by their folder and environment. A process that cannot be inspected counts as the
// application's own if something is live.
import type { Service } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { StepIo } from '../../deployment/run.ts'
import { ChecksFailed } from '../../domain/tasks/step-fault.ts'
import type { Host } from '../../remote/host.ts'
import type { UsedPorts } from '../../runtimes/runtime.ts'
import { replacedSentence, type SlotPort } from '../../runtimes/runtime-context.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { findOwners } from './socket-owners.ts'

/** By service. */
export type Ports = Readonly<Record<string, number>>

/** A port that the file names, with what listened on it before the deploy tasks and is nothing of the environment's. */
export type ForeignPort = { readonly service: string; readonly port: number; readonly sockets: readonly string[] }

type Provided = { readonly ports: Ports; readonly foreign: readonly ForeignPort[] }
type PortRequest = { readonly deployment: Deployment; readonly folders: Folders; readonly services: readonly Service[] }

export async function providePorts(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  context: RecipeContext,
  { deployment, folders, services }: PortRequest,
): Promise<Provided> {
  await claimNamed(context, services)
  const used = await context.runtime.findUsedPorts(host, deployment.ids)
  const { inUse } = used
  const known = await context.allocatePorts(services, { inUse, foreign: new Set() })
  const named = services.flatMap(({ name, port }) => (port === null ? [] : [{ service: name, port }]))
  const foreign = await findForeign(host, deployment, { folders, used, of: [...known, ...named] })
  const ports = foreign.size === 0 ? known : await context.allocatePorts(services, { inUse, foreign })
  for (const port of ports.filter(({ insteadOf }) => insteadOf !== undefined)) say(replacedSentence(port))
  const taken = named.filter(({ port }) => foreign.has(port))
  for (const { service, port } of taken) say(`${service}: something else listens on port ${port} already`)
  return {
    ports: portsByService(ports),
    foreign: taken.map(({ service, port }) => ({ service, port, sockets: used.sockets.get(port) ?? [] })),
  }
}

/** Reserves the ports that the file names. They are ports of the server, which others may have; in the docker recipe they are inside a container. */
async function claimNamed(context: RecipeContext, services: readonly Service[]): Promise<void> {
  const owners = await context.claimPorts(services.flatMap(({ port }) => port ?? []))
  const faults = services.flatMap((service) => {
    const owner = service.port === null ? undefined : owners.get(service.port)
    return owner === undefined ? [] : [foreignPortSentence(service, owner)]
  })
  if (faults.length > 0) throw ChecksFailed(faults)
}

const foreignPortSentence = ({ name, port, isMain }: Service, owner: string): string =>
  `${name}: port ${port} belongs to ${owner}. ` +
  `Leave out port and listen on $${isMain ? 'PORT' : portVariable(name)}, or choose another`

type PortUse = {
  readonly folders: Folders
  readonly used: UsedPorts
  readonly of: readonly { readonly port: number }[]
}

/** Ports that processes of others listen on. */
async function findForeign(
  host: Host,
  { environment, live }: Deployment,
  { folders, used, of }: PortUse,
): Promise<ReadonlySet<number>> {
  const listening = of.flatMap(({ port }) => (used.sockets.has(port) ? [port] : []))
  const sockets = listening.flatMap((port) => used.sockets.get(port) ?? [])
  const environmentFolder = { folder: folders.environment, domain: environment.domain }
  const owners = await findOwners(host, environmentFolder, sockets)
  const isForeign = (socket: string): boolean => (owners.get(socket) ?? (live ? 'own' : 'other')) === 'other'
  return new Set(listening.filter((port) => used.sockets.get(port)?.every(isForeign)))
}

/** Fails where the process of before the deploy tasks still listens. */
export async function checkListeners(
  { host }: Pick<StepIo, 'host'>,
  { runtime }: Pick<RecipeContext, 'runtime'>,
  { deployment, foreign }: { readonly deployment: Deployment; readonly foreign: readonly ForeignPort[] },
): Promise<void> {
  const { sockets } = await runtime.findUsedPorts(host, deployment.ids)
  const still = foreign.filter(({ port, sockets: before }) => {
    const now = sockets.get(port) ?? []
    return now.length > 0 && now.every((socket) => before.includes(socket))
  })
  if (still.length === 0) return
  const sentences = still.map(
    ({ service, port }) =>
      `${service}: on port ${port} listens what was there before this deployment, and is not of this environment. ` +
      'Stop it, or choose another port',
  )
  throw ChecksFailed(sentences)
}

export const portVariable = (service: string): string => `PORT_${inVariable(service)}`

/** A service as part of the name of a variable. */
export const inVariable = (service: string): string => service.toUpperCase().replaceAll(/[-.]/g, '_')

export const portsByService = (ports: readonly SlotPort[]): Ports =>
  Object.fromEntries(ports.map(({ service, port }) => [service, port]))
