// A project on a server that is a real Docker Swarm. Each node is a machine of its own, which the lines that the platform shows have set up.
import type { Client } from '@shipway/api'
import { type Machine, openMachine } from '../../packages/server/test/docker/machine-of-node.ts'
import { type SwarmNode, type SwarmSize, startMachines } from '../../packages/server/test/docker/swarm.ts'
import { beginJourney, type Journey } from '../journey.ts'

export type SwarmWorld = {
  readonly journey: Journey
  readonly client: Client
  readonly serverId: number
  /** The first one is the one that the platform signed in to first. */
  readonly managers: readonly Machine[]
  readonly workers: readonly Machine[]
  /** Of both. */
  readonly machines: readonly Machine[]
  createEnvironment(name: string): Promise<number>
  stop(): Promise<void>
}

type Options = SwarmSize & { readonly settings?: Readonly<Record<string, string>> }

export async function beginSwarmWorld({ settings = {}, ...size }: Options): Promise<SwarmWorld> {
  const journey = await beginJourney('embedded', 'local', {
    settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '3', ...settings },
  })
  let swarm: Awaited<ReturnType<typeof startMachines>> | undefined
  const machines: Machine[] = []
  const stop = async (): Promise<void> => {
    await journey.stop()
    for (const machine of machines) await machine.stop()
    await swarm?.stop()
  }
  try {
    swarm = await startMachines(size)
    const open = async (node: SwarmNode): Promise<Machine> => {
      const machine = await openMachine(node)
      machines.push(machine)
      await machine.lend(Number(new URL(journey.platform.url).port))
      return machine
    }
    const { client } = journey
    const [first, ...managers] = await Promise.all(swarm.managers.map(open))
    const workers = await Promise.all(swarm.workers.map(open))
    if (!first) throw new Error('A Swarm has a manager')
    const serverId = await setUpManager(client, first)
    for (const manager of managers) {
      await join(client, serverId, { machine: manager, role: 'manager' })
      await keepRegistry(manager)
    }
    for (const worker of workers) await join(client, serverId, { machine: worker, role: 'worker' })
    if (managers.length > 0) {
      const hostnames = swarm.managers.map(({ address }) => ({ hostname: address }))
      await client.updateServer({ params: { id: serverId }, body: { managers: hostnames } })
    }
    // Where there is systemd, a timer does so within a minute: nodes let in the managers that joined after them.
    for (const machine of machines) await machine.run(KEEP_IN_ORDER)
    for (const machine of machines) machine.keepRunning(`while sleep 30; do ${KEEP_IN_ORDER}; done`)
    const body = { server_ids: [serverId], default_recipe: 'docker' as const }
    await client.updateProject({ params: { id: journey.projectId }, body })
    return {
      journey,
      client,
      serverId,
      managers: [first, ...managers],
      workers,
      machines,
      stop,
      createEnvironment: (name) => journey.createEnvironment(name),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function setUpManager(client: Client, machine: Machine): Promise<number> {
  const body = { name: 'Swarm', hostname: machine.node.address, runtime: 'swarm' as const }
  const { id, setup_command: line } = await client.createServer({ body })
  await setUp(machine, line ?? '')
  await keepRegistry(machine)
  return id
}

const KEEP_IN_ORDER = '/usr/local/lib/shipway/swarm-ports.sh; /usr/local/lib/shipway/swarm-node-*'

type NewNode = { readonly machine: Machine; readonly role: 'manager' | 'worker' }

async function join(client: Client, id: number, { machine, role }: NewNode): Promise<void> {
  const { command } = await client.joinServer({ params: { id }, body: { role } })
  await setUp(machine, command)
}

/** As pasted by root. Without systemd it leaves the start of services to the operator, and says so by its exit code. */
async function setUp(machine: Machine, line: string): Promise<void> {
  await machine.run(`${line} --advertise ${machine.node.address} >/root/set-up.log 2>&1; code=$?
    [ "$code" -eq 3 ] || { cat /root/set-up.log >&2; exit 1; }`)
  await keepRunning(machine, 'report to the managers')
}

const keepRegistry = (machine: Machine): Promise<void> => keepRunning(machine, 'run the registry')

/** What the set-up says to run where there is no systemd. */
async function keepRunning(machine: Machine, what: string): Promise<void> {
  const command = await machine.run(
    `sed -n 's/^- .*${what} yourself.*, as \\([^:]*\\): \\(.*\\)$/\\1 \\2/p' /root/set-up.log`,
  )
  const [user = '', ...words] = command.trim().split(' ')
  if (words.length === 0) throw new Error(`The set-up does not say how to ${what}: ${command}`)
  machine.keepRunning(`cd / && exec runuser -u ${user} -- ${words.join(' ')}`)
}
