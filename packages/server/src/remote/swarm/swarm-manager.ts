// What the platform asks a manager of a Swarm while a user waits: its nodes, their availability, and the secret to join it with.
import type { SwarmNode } from '@shipway/api/servers'
import { joinToken, listNodes, setAvailability } from '../../commands/docker/swarm.ts'
import { hostOf, registryOf } from '../../domain/compose/registries.ts'
import { NotAManager, RegistryRefused, ServerNotReached } from '../../domain/errors.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { NodeRole, SwarmState } from '../../domain/swarm/swarm-state.ts'
import { StepFault } from '../../domain/tasks/step-fault.ts'
import { type AddressFault, resolveAllowed } from '../../network/resolve-allowed.ts'
import { Secret } from '../../secrets/secret.ts'
import { ask } from '../ask.ts'
import { type Host, ServerUnreachable } from '../host.ts'
import type { Hosts } from '../hosts.ts'
import { withinDeadline } from '../within-deadline.ts'
import { checkRegistry, type RegistryLogin } from './check-registry.ts'
import { readSwarm } from './read-swarm.ts'
import { BYTES_OF_FREE, readFree, readUsageReports } from './read-usage-reports.ts'

export type SwarmManagers = {
  /** All of these throw ServerNotReached and ServerTimeout, and NotAManager where the machine manages no Swarm that works. */
  read(server: ServerAddress): Promise<SwarmState>
  setAvailability(
    server: ServerAddress,
    node: { readonly id: string; readonly availability: 'active' | 'drain' },
  ): Promise<void>
  joinToken(server: ServerAddress, role: NodeRole): Promise<Secret>
  /** Throws RegistryRefused as well. */
  checkRegistry(server: ServerAddress, login: RegistryLogin): Promise<void>
}

type SwarmManagersOptions = { readonly hosts: Pick<Hosts, 'of'>; readonly allowedNetworks: readonly string[] }

const TIMEOUT_MS = 20_000

export function createSwarmManagers({ hosts, allowedNetworks }: SwarmManagersOptions): SwarmManagers {
  const on = <Result>(
    server: ServerAddress,
    work: (host: Host, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => withReasons(hosts.of(server), work)
  return {
    read: (server) => on(server, (host, signal) => readSwarmWithReports(host, signal)),
    setAvailability: (server, { id, availability }) =>
      on(server, async (host, signal) => {
        await ask(host, { command: setAvailability(id, availability), signal }, () => NotAManager(host.name))
      }),
    joinToken: (server, role) =>
      on(server, async (host, signal) => {
        const token = await ask(host, { command: joinToken(role), signal }, () => NotAManager(host.name))
        if (!TOKEN.test(token.trim())) throw NotAManager(host.name)
        return new Secret(token.trim())
      }),
    checkRegistry: async (server, login) => {
      // Docker connects from the machine. Where that is the platform's own, its private network is none of the organization's.
      if (server.connection === 'local') {
        const toError = ({ sentence }: AddressFault): Error => RegistryRefused(server.name, login.address, sentence)
        await resolveAllowed(hostOf(registryOf(`${login.address}/any`) ?? 'docker.io'), { allowedNetworks, toError })
      }
      await on(server, (host, signal) => checkRegistry(host, login, signal))
    },
  }
}

const TOKEN = /^SWMTKN-1-[a-z0-9]{1,64}-[a-z0-9]{1,64}$/

/** With free memory and disk of this manager alone. */
export async function readSwarmOf(host: Host, signal?: AbortSignal): Promise<SwarmState> {
  const { exitCode, stdout } = await host.run(listNodes(), signal && { signal })
  const swarm = exitCode === 0 ? readSwarm(stdout.toString()) : undefined
  if (!swarm) throw NotAManager(host.name)
  return swarm
}

/** With free memory and disk of all nodes that report them. Waits seconds for those that do not answer. */
export async function readSwarmWithReports(host: Host, signal?: AbortSignal): Promise<SwarmState> {
  const swarm = await readSwarmOf(host, signal)
  return { ...swarm, nodes: await askNodes(host, swarm, signal) }
}

/** The manager in use has said its own. */
async function askNodes(host: Host, { nodes }: SwarmState, signal?: AbortSignal): Promise<readonly SwarmNode[]> {
  const asked = nodes.filter((node) => node.state === 'ready' && node.free_memory_bytes === null)
  const addresses = asked.map(({ address }) => address)
  const reports = await readUsageReports(host, { addresses, bytes: BYTES_OF_FREE, signal })
  return nodes.map((node) => {
    const report = asked.includes(node) ? reports.get(node.address) : undefined
    if (report === undefined) return node
    const { memory, disk } = readFree(report)
    return { ...node, free_memory_bytes: memory, free_disk_bytes: disk }
  })
}

async function withReasons<Result>(
  host: Host,
  work: (host: Host, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await withinDeadline(host, TIMEOUT_MS, (signal) => work(host, signal))
  } catch (error) {
    if (error instanceof ServerUnreachable) throw ServerNotReached(error.stage, error.message)
    if (error instanceof StepFault) throw NotAManager(host.name)
    throw error
  }
}
