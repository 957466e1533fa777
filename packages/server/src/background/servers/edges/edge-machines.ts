// The machines whose HAProxy is the edge of a server: its own, or those of all managers of a Swarm.
//
// A manager that is lost must not stop the others: work on it is left out, and it is asked again after a pause. When it is back, the regular
// sync brings it what it has missed.
import { hasNodes } from '@shipway/api/values/runtime-facts'
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { type Host, ServerUnreachable, withSignal } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { withDeadline } from '../../../scheduling/deadline.ts'
import { atManager, isSameAddress, listManagers } from '../../../store/servers/managers.ts'
import { isUnreachable } from '../jobs/server-job.ts'

/** For a manager that is not the one in use. */
const DEADLINE_MS = 10_000
const LOST_MS = 30_000

export type EdgeMachine = {
  /** Of all machines, also of other servers. */
  readonly key: string
  readonly host: Host
}

type EdgeMachines = {
  readonly server: ServerAddress
  /** Stops the commands that run on the machines. */
  readonly signal?: AbortSignal | undefined
  /** Asks managers again that were left out a moment ago. */
  readonly isInsisting?: boolean
}

export type EdgeResults<Result> = {
  /** Of those that were reached, that of the server's own address first. */
  readonly results: readonly Result[]
  /** Addresses of the managers that were not. */
  readonly leftOut: readonly string[]
}

/** The server's own address first, then the other managers that the platform has signed in to. */
export async function listEdgeMachines(
  { db }: Pick<Context, 'db'>,
  server: ServerAddress,
): Promise<readonly ServerAddress[]> {
  const managers = hasNodes[server.runtime] ? await listManagers(db, server.id) : []
  const others = managers.filter((manager) => manager.hasSignedIn && !isSameAddress(manager, server))
  return [server, ...others.map((manager) => atManager(server, manager))]
}

/** Runs the work on each of them at once. Rejects if the server's own address cannot be reached. */
export async function onEdgeMachines<Result>(
  ctx: Pick<Context, 'db' | 'log' | 'clock'>,
  hosts: Hosts,
  { server, signal, isInsisting = false }: EdgeMachines,
  work: (machine: EdgeMachine) => Promise<Result>,
): Promise<EdgeResults<Result>> {
  const [, ...others] = await listEdgeMachines(ctx, server)
  const [own, ...reached] = await Promise.all([
    work({ key: keyOf(server), host: withSignal(hosts.of(server), signal) }),
    ...others.map((manager) => onManager(ctx, hosts, { server: manager, signal, isInsisting }, work)),
  ])
  return {
    results: [own, ...reached.flatMap((one) => one ?? [])],
    leftOut: others.filter((_, at) => reached[at] === undefined).map(({ hostname }) => hostname),
  }
}

/** Whether the last work on one of its managers was left out. */
export async function hasLostManager(ctx: Pick<Context, 'db'>, hosts: Hosts, server: ServerAddress): Promise<boolean> {
  const [, ...others] = await listEdgeMachines(ctx, server)
  return others.some((manager) => lostManagersOf(hosts).has(keyOf(manager)))
}

/** A record that gets another address is another machine. */
export const keyOf = ({ id, hostname, port }: ServerAddress): string => `${id} ${hostname} ${port}`

const lostManagers = new WeakMap<Hosts, Map<string, number>>()

/** By the key of a machine: when it was last not reached. */
function lostManagersOf(hosts: Hosts): Map<string, number> {
  const lost = lostManagers.get(hosts) ?? new Map<string, number>()
  lostManagers.set(hosts, lost)
  return lost
}

/** The result as the only element; undefined where the manager is not reached in time. */
async function onManager<Result>(
  ctx: Pick<Context, 'log' | 'clock'>,
  hosts: Hosts,
  { server, signal, isInsisting = false }: EdgeMachines,
  work: (machine: EdgeMachine) => Promise<Result>,
): Promise<readonly [Result] | undefined> {
  const lost = lostManagersOf(hosts)
  const key = keyOf(server)
  const lostAt = lost.get(key)
  if (!isInsisting && lostAt !== undefined && Math.abs(ctx.clock() - lostAt) < LOST_MS) return undefined
  const late = new AbortController()
  const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  const name = `${server.name} (${server.hostname})`
  try {
    const machine = { key, host: withSignal({ ...hosts.ofManager(server), name }, ends) }
    const result = await withDeadline(work(machine), DEADLINE_MS, () => {
      late.abort()
      throw new ServerUnreachable('connect', `${name} did not answer within ${DEADLINE_MS / 1000} seconds`)
    })
    lost.delete(key)
    return [result]
  } catch (error) {
    if (!isUnreachable(error)) throw error
    if (!lost.has(key))
      ctx.log.warn({ err: error, server: server.id, manager: server.hostname }, 'the edge of a manager is left out')
    lost.set(key, ctx.clock())
    return undefined
  }
}
