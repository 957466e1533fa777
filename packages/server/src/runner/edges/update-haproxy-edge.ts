/**
 * Brings the edge of a server to what the records say. The number of a state is counted up in the transaction that reads it, and
 * the server refuses a lower one than it has: whoever comes late with an old state undoes nothing.
 */

import { hash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { applyEdge } from '../../edge/haproxy/apply-state.ts'
import { EdgeFailed } from '../../edge/haproxy/ask-haproxy.ts'
import { type EdgeState, edgeFiles } from '../../edge/haproxy/haproxy-state.ts'
import type { Host } from '../../remote/host.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { raiseEdgeVersion } from '../../store/environments/routes.ts'
import { createTurns, type Turns } from '../turns.ts'
import { edgeFolderOf } from './haproxy-folder.ts'
import { type EdgeRecords, readEdgeRecords } from './haproxy-records.ts'

const VERIFY_MS = 60_000

type Wish = {
  readonly server: ServerAddress
  /** Goes to the server whatever this process remembers of it. */
  readonly isForced?: boolean
  /** Gives up what runs on the server. */
  readonly signal?: AbortSignal
}

/** One at a time for a server. Rejects where the records are not what the server answers by. */
export async function keepInStep(
  ctx: Context,
  hosts: Hosts,
  { isForced = false, signal, server }: Wish,
): Promise<void> {
  const edges = edgesBehind(hosts)
  const host = stoppable(hosts.of(server), signal)
  if (isForced) edges.forced.add(server.id)
  await edges.turns.take(server.id, async () => {
    const brought = edges.forced.delete(server.id) ? undefined : edges.brought.get(server.id)
    // Until it is known how this ends, nothing is known.
    edges.brought.delete(server.id)
    const now = await bring(ctx, host, { server, brought })
    if (!now) return
    edges.brought.set(server.id, now)
    if (!now.isLive) throw new EdgeFailed(`HAProxy does not run on ${server.name}. Start it there, then try again`)
  })
}

/** Whether the records say something else than what this process has brought there last, as far as it knows. */
export async function isBehind(ctx: Context, hosts: Hosts, serverId: number): Promise<boolean> {
  const brought = edgesBehind(hosts).brought.get(serverId)
  return !brought || digestOf(await readEdgeRecords(ctx, ctx.db, serverId)) !== brought.digest
}

/** A state that the server took from this process. */
type Brought = {
  readonly version: number
  readonly digest: string
  readonly isLive: boolean
  readonly verifiedAt: number
}

type Edges = {
  readonly turns: Turns
  readonly forced: Set<number>
  readonly brought: Map<number, Brought>
}

const edges = new WeakMap<Hosts, Edges>()

/** What is known of the servers behind these hosts, for as long as the hosts are. */
function edgesBehind(hosts: Hosts): Edges {
  const known = edges.get(hosts) ?? { turns: createTurns(), forced: new Set(), brought: new Map() }
  edges.set(hosts, known)
  return known
}

const stoppable = (host: Host, signal: AbortSignal | undefined): Host =>
  signal ? { ...host, run: (command, options) => host.run(command, { ...options, signal }) } : host

type Earlier = { readonly server: ServerAddress; readonly brought: Brought | undefined }

/** Undefined where the server is gone. */
async function bring(ctx: Context, host: Host, { server, brought }: Earlier): Promise<Brought | undefined> {
  const records = brought && (await readEdgeRecords(ctx, ctx.db, server.id))
  if (!brought || !records || digestOf(records) !== brought.digest) return bringAnew(ctx, host, server)
  if (brought.isLive && ctx.clock() < brought.verifiedAt + VERIFY_MS) return brought
  // A newer state than ours is another platform's, which has it from the same records.
  const { isLive } = await apply(ctx, host, { server, state: { version: brought.version, ...records } })
  return { ...brought, isLive, verifiedAt: ctx.clock() }
}

async function bringAnew(ctx: Context, host: Host, server: ServerAddress): Promise<Brought | undefined> {
  let above = 0
  for (let turn = 0; turn < 3; turn++) {
    const state = await takeState(ctx, server.id, above)
    if (!state) return undefined
    const { outcome, version, isLive } = await apply(ctx, host, { server, state })
    if (outcome === 'applied') return { version, digest: digestOf(state), isLive, verifiedAt: ctx.clock() }
    // Another platform was faster. Or the records were put back from a copy: then the server has seen higher numbers than they have.
    above = version
  }
  throw new EdgeFailed(`The edge of ${server.name} is changed by others all the time. Try again`)
}

async function takeState(ctx: Context, serverId: number, above: number): Promise<EdgeState | undefined> {
  return ctx.change(PLATFORM, async (tx) => {
    const version = await raiseEdgeVersion(tx, serverId, { above })
    return version === undefined ? undefined : { version, ...(await readEdgeRecords(ctx, tx, serverId)) }
  })
}

async function apply(ctx: Context, host: Host, { server, state }: { server: ServerAddress; state: EdgeState }) {
  const applied = await applyEdge(host, edgeFolderOf(ctx, server), state)
  if (applied.refused.length > 0)
    ctx.log.error({ server: server.id, domains: applied.refused }, 'domains were left out of the edge of a server')
  return applied
}

function digestOf(records: EdgeRecords): string {
  const { routes, acme } = edgeFiles(records)
  return hash('sha256', routes + acme)
}
