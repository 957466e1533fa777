// A real Docker Swarm for tests: every node is an engine in a network namespace of its own, and one bridge of this machine joins them,
// so programs of the machine reach the nodes' addresses as a reverse proxy of the same network would.
//
// Two things differ from most Swarms, since the kernels of test machines often lack IPVS: neither virtual addresses nor the ingress mesh
// work. Services are found with `endpoint_mode: dnsrr`, and published with `mode: host`.
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  clientOf,
  type Engine,
  endDaemon,
  firstProcess,
  inNetworkOf,
  loadBaseImages,
  socketIn,
  startDaemon,
} from './docker-engine.ts'
import { type EngineSlot, releaseSlot, takeSlot } from './engine-slot.ts'
import { makeMachine } from './machine-folders.ts'

export type SwarmNode = Omit<Engine, 'inItsNetwork' | 'stop'> & {
  /** The folder on this machine that only this node uses. */
  readonly folder: string
  /** `manager-1`, `worker-1` and so on: its name in the Swarm, too. */
  readonly name: string
  readonly role: 'manager' | 'worker'
  /** In the network that all nodes and this machine share. */
  readonly address: string
  /** Of the first process of its engine: its network, mounts and hostname are there. Another one after `restart`. */
  processId(): number
  /** Put before a command's words, it runs on the node's network. Other words after `restart`. */
  inItsNetwork(): readonly string[]
  /** Ends the engine and all its containers at once, as a power failure does. */
  kill(): Promise<void>
  /** Starts a killed engine again with what it kept. Returns when the engine answers, which may be before its node is ready. */
  restart(): Promise<void>
}

export type Swarm = {
  /** The first one made the Swarm. */
  readonly managers: readonly SwarmNode[]
  readonly workers: readonly SwarmNode[]
  /** Ends all engines and removes what they kept. */
  stop(): Promise<void>
}

export type SwarmSize = { readonly managers: number; readonly workers: number }

/** The base images are on every node. */
export async function startSwarm(size: SwarmSize): Promise<Swarm> {
  const swarm = await startNodes(size, { areMachines: false })
  try {
    await joinAll(swarm)
    return swarm
  } catch (error) {
    await swarm.stop()
    throw error
  }
}

/** Nodes of no Swarm yet, each a machine that the set-up line can change: see `machine-of-node.ts`. Only managers have the base images. */
export const startMachines = (size: SwarmSize): Promise<Swarm> => startNodes(size, { areMachines: true })

type NodeKind = { readonly areMachines: boolean }

async function startNodes({ managers, workers }: SwarmSize, kind: NodeKind): Promise<Swarm> {
  const parts: NodeParts[] = []
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= removeNodes(parts)
    return stopped
  }
  try {
    const names = [...numbered('manager', managers), ...numbered('worker', workers)]
    for (const name of names) parts.push({ name, slot: await takeSlot(), daemon: undefined })
    const [network] = parts
    if (network) addAddress(network.slot)
    const nodes = await allOf(
      parts.map((part, at) => startNode(part, { network: parts[0]?.slot ?? part.slot, at, ...kind })),
    )
    return { managers: nodes.filter(isManager), workers: nodes.filter((node) => !isManager(node)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const numbered = (role: SwarmNode['role'], count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${role}-${at + 1}`)

const isManager = ({ role }: SwarmNode): boolean => role === 'manager'

type NodeParts = { readonly name: string; readonly slot: EngineSlot; daemon: ChildProcess | undefined }

/** `network` is the slot whose bridge joins the nodes; `at` is the place of this one among them. */
type Position = NodeKind & { readonly network: EngineSlot; readonly at: number }

async function startNode(parts: NodeParts, { network, at, areMachines }: Position): Promise<SwarmNode> {
  const { name, slot } = parts
  const address = addressIn(network, at + 2)
  const client = clientOf(socketIn(slot))
  const start = async (): Promise<void> => {
    // Processes have the same numbers in each of its namespaces, and take their own old files for those of others that run.
    for (const name of ['docker.pid', 'run']) rmSync(join(slot.folder, name), { recursive: true, force: true })
    const wire = { bridge: network.bridge, link: `${slot.bridge}n`, address }
    parts.daemon = await startDaemon(
      { ...slot, subnet: ownNetworks(slot) },
      // An engine that starts again without its address leaves the Swarm.
      {
        hasOwnNetwork: true,
        hostname: name,
        isMachine: areMachines,
        connect: (daemon) => {
          connect(daemon, wire)
          if (areMachines) makeMachine(firstProcess(daemon), slot.folder)
        },
      },
    )
  }
  const running = (): ChildProcess => {
    if (parts.daemon === undefined) throw new Error(`The engine of ${name} does not run`)
    return parts.daemon
  }
  await start()
  if (!areMachines || name.startsWith('manager')) await loadBaseImages(client)
  return {
    ...client,
    folder: slot.folder,
    name,
    role: name.startsWith('manager') ? 'manager' : 'worker',
    address,
    processId: () => firstProcess(running()),
    inItsNetwork: () => inNetworkOf(running()),
    kill: async () => {
      const { daemon } = parts
      parts.daemon = undefined
      await endDaemon(daemon)
    },
    restart: start,
  }
}

/** Of a private range, as those of most Swarms are: an edge leads to no other. */
const addressIn = ({ bridge }: EngineSlot, number: number): string =>
  `10.213.${bridge.replace('shipway', '')}.${number}`

/** This machine's own in the network of the nodes. */
const addAddress = (slot: EngineSlot): void =>
  void execFileSync('ip', ['address', 'add', `${addressIn(slot, 1)}/26`, 'dev', slot.bridge])

/** The upper half: the network of the nodes is in the lower one. */
const ownNetworks = ({ subnet }: EngineSlot): string =>
  subnet.replace(/\.(\d+)\.0\/19$/, (_, third: string) => `.${Number(third) + 16}.0/20`)

/** The kernel removes both ends with the engine's network, but only some time after its last process: those of a node before may be there. */
function connect(
  daemon: ChildProcess,
  { bridge, link, address }: { readonly bridge: string; readonly link: string; readonly address: string },
): void {
  const pid = String(firstProcess(daemon))
  const ip = (...words: string[]): void => void execFileSync('ip', words)
  spawnSync('ip', ['link', 'delete', link])
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid)
  ip('link', 'set', link, 'master', bridge, 'up')
  const [enter = '', ...words] = inNetworkOf(daemon)
  const inside = (...command: string[]): void => void execFileSync(enter, [...words, 'ip', ...command])
  inside('address', 'add', `${address}/26`, 'dev', 'eth0')
  inside('link', 'set', 'eth0', 'up')
}

/** Managers one after the other, since each changes the quorum; workers at once. */
async function joinAll({ managers: [first, ...managers], workers }: Omit<Swarm, 'stop'>): Promise<void> {
  if (!first) throw new Error('A Swarm has a manager')
  const here = ['--advertise-addr', first.address, '--listen-addr', `${first.address}:2377`]
  // A dead node is known to be down after three heartbeats: tests do not wait for the usual fifteen seconds.
  await first.docker('swarm', 'init', ...here, '--dispatcher-heartbeat', '1s')
  const tokenOf = async (role: string): Promise<string> =>
    (await first.docker('swarm', 'join-token', '--quiet', role)).trim()
  const joinAs = (token: string, { docker, address }: SwarmNode): Promise<string> =>
    docker('swarm', 'join', '--token', token, '--advertise-addr', address, `${first.address}:2377`)
  const [asManager, asWorker] = [await tokenOf('manager'), await tokenOf('worker')]
  for (const manager of managers) await joinAs(asManager, manager)
  await allOf(workers.map((worker) => joinAs(asWorker, worker)))
}

async function removeNodes(parts: readonly NodeParts[]): Promise<void> {
  await allOf(parts.map(({ daemon }) => endDaemon(daemon)))
  for (const { slot } of parts) await releaseSlot(slot)
}

/** Waits for all, also where one fails: what still runs would outlive the clean-up. */
async function allOf<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  const ends = await Promise.allSettled(works)
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}
