/**
 * Makes the edges of a server of several machines balance over the tasks that are ready. The list is read from the server each time and
 * stored nowhere. Its version tells in which order lists were read: a list counts only if no other one was given a version while it was
 * read, so of two lists the one with the higher version was read later as a whole, whatever process read it. Each machine refuses a lower one.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { HaproxyFailed } from '../../../edge/haproxy/ask-haproxy.ts'
import { balanceHaproxy } from '../../../edge/haproxy/balance-haproxy.ts'
import { type UpstreamList, upstreamList } from '../../../edge/haproxy/upstream-list.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import type { Runtime } from '../../../runtimes/runtime.ts'
import { createSerializer, type Serializer } from '../../../scheduling/serialize.ts'
import { findEdgeVersion, raiseEdgeVersion } from '../../../store/environments/routes.ts'
import { onEdgeMachines } from './edge-machines.ts'
import { withForgottenPorts } from './forgotten-ports.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'

type Balance = {
  readonly server: ServerAddress
  /** Ports of groups that must have an upstream, and whose upstreams must all answer the edges. */
  readonly joining?: readonly number[]
  /** Asks managers again that were left out a moment ago. */
  readonly isInsisting?: boolean
  /** Stops the commands that run on the server. */
  readonly signal?: AbortSignal
  readonly listUpstreams: NonNullable<Runtime['listUpstreams']>
}

/**
 * One at a time per server. Calls that wait are answered by the same list, which is read after all of them. Returns the addresses of managers
 * that were left out, because they could not be reached.
 */
export async function balanceEdges(
  ctx: Context,
  hosts: Hosts,
  { joining = [], isInsisting = false, ...balance }: Balance,
): Promise<readonly string[]> {
  const { server } = balance
  const pending = pendingOf(hosts)
  const request: BalanceRequest = { joining, isInsisting, silent: [], leftOut: [] }
  pending.requests.set(server.id, [...(pending.requests.get(server.id) ?? []), request])
  await pending.serializer.runShared(server.id, async () => {
    const requests = pending.requests.get(server.id) ?? []
    pending.requests.delete(server.id)
    await balanceOnce(ctx, hosts, { ...balance, requests })
  })
  if (request.silent.length === 0) return request.leftOut
  throw CheckFailed(
    `The edge of ${server.name} does not reach every task that it should lead to: ${request.silent.join(', ')}`,
  )
}

type BalanceRequest = Required<Pick<Balance, 'joining' | 'isInsisting'>> & {
  silent: readonly string[]
  leftOut: readonly string[]
}

type PendingBalances = { readonly serializer: Serializer; readonly requests: Map<number, readonly BalanceRequest[]> }

const pendingBalances = new WeakMap<Hosts, PendingBalances>()

function pendingOf(hosts: Hosts): PendingBalances {
  const pending = pendingBalances.get(hosts) ?? { serializer: createSerializer(), requests: new Map() }
  pendingBalances.set(hosts, pending)
  return pending
}

type BalanceRun = Omit<Balance, 'joining' | 'isInsisting'> & { readonly requests: readonly BalanceRequest[] }

/** Each time that one is in vain, another process has made progress. */
const MAX_ATTEMPTS = 12
const MAX_PAUSE_MS = 300

async function balanceOnce(ctx: Context, hosts: Hosts, run: BalanceRun): Promise<void> {
  let above = 0
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const list = await readList(ctx, hosts, { ...run, above })
    if (list === 'deleted') return
    if (list !== 'outdated') {
      const newest = await apply(ctx, hosts, run, list)
      if (newest <= list.version) return
      // Another process has read a later list. Or the database was restored from a backup, and the server has seen higher versions.
      above = newest
    }
    await pause(Math.random() * MAX_PAUSE_MS, undefined, run.signal && { signal: run.signal })
  }
  throw new HaproxyFailed(`The edge of ${run.server.name} is being changed by other processes. Try again`)
}

type VersionedList = UpstreamList & { readonly version: number }

async function readList(
  ctx: Context,
  hosts: Hosts,
  { server, signal, listUpstreams, above }: BalanceRun & { readonly above: number },
): Promise<VersionedList | 'outdated' | 'deleted'> {
  const before = await findEdgeVersion(ctx.db, server.id)
  if (before === undefined) return 'deleted'
  const groups = await listUpstreams(hosts.of(server), ctx.installationId)
  const list = upstreamList(await withForgottenPorts(ctx, hosts, { server, signal, groups }))
  const version = await ctx.change(PLATFORM, (tx) => raiseEdgeVersion(tx, server.id, { above, from: before }))
  return version === undefined ? 'outdated' : { ...list, version }
}

/** Returns the highest version that a machine has. */
async function apply(ctx: Context, hosts: Hosts, run: BalanceRun, { version, text, refused }: VersionedList) {
  const { server, requests, signal } = run
  if (refused.length > 0)
    ctx.log.error({ server: server.id, upstreams: refused }, 'upstreams were left out of the edge of a server')
  const joining = [...new Set(requests.flatMap((request) => request.joining))]
  const machines = { server, signal, isInsisting: requests.some((request) => request.isInsisting) }
  const { results, leftOut } = await onEdgeMachines(ctx, hosts, machines, async (machine) =>
    balanceHaproxy(machine.host, haproxyFolderOf(ctx, server), { version, text, joining }),
  )
  const newest = Math.max(...results.map((result) => result.version))
  if (newest > version) return newest
  const [own] = results
  if (own && !own.isLive)
    throw new HaproxyFailed(`HAProxy does not run on ${server.name}. Start it there, then try again`)
  const silent = results.flatMap((result) => result.silent)
  for (const request of requests) {
    request.silent = silentOf(request.joining, { text, silent })
    request.leftOut = leftOut
  }
  return newest
}

function silentOf(
  joining: readonly number[],
  { text, silent }: { readonly text: string; readonly silent: readonly string[] },
) {
  const isEmpty = (port: number): boolean => !new RegExp(`^${port} `, 'm').test(text)
  const inGroups = silent.filter((name) => joining.some((port) => name.startsWith(`${port}/`)))
  return [...new Set([...joining.filter(isEmpty).map((port) => `${port} has none`), ...inGroups])]
}
