/**
 * Updates HAProxy on a server to what the records say. The transaction that reads a state also increments its version, and the
 * server refuses a version lower than the one it has: a late writer with an old state overwrites nothing.
 *
 * A state is sent whole, with a version that the transaction that reads it increments. The server refuses a lower version, so a late update
 * undoes nothing.
 */
import { hash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { applyHaproxyState } from '../../../edge/haproxy/apply-state.ts'
import { HaproxyFailed } from '../../../edge/haproxy/ask-haproxy.ts'
import { type HaproxyState, haproxyFiles } from '../../../edge/haproxy/haproxy-state.ts'
import type { Host } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { createSerializer, type Serializer } from '../../../scheduling/serialize.ts'
import { raiseEdgeVersion } from '../../../store/environments/routes.ts'
import { keyOf, onEdgeMachines } from './edge-machines.ts'
import { haproxyFolderOf } from './haproxy-folder.ts'
import { type HaproxyRecords, readHaproxyRecords } from './haproxy-records.ts'

const VERIFY_MS = 60_000

type HaproxyUpdate = {
  readonly server: ServerAddress
  /** Asks the server even if this process believes it is up to date, and managers that were left out a moment ago. */
  readonly isForced?: boolean
  /** Stops the command that runs on the server. */
  readonly signal?: AbortSignal
}

/**
 * One update at a time per server. Rejects if HAProxy does not serve the records afterwards. Returns the addresses of managers that were left
 * out, because they could not be reached.
 */
export async function updateHaproxyEdge(
  ctx: Context,
  hosts: Hosts,
  { isForced = false, signal, server }: HaproxyUpdate,
): Promise<readonly string[]> {
  const known = knownStatesOf(hosts)
  if (isForced) known.forced.add(server.id)
  await known.serializer.runShared(server.id, async () => {
    const isUnknown = known.forced.delete(server.id)
    const machines = { server, signal, isInsisting: isUnknown }
    const { results, leftOut } = await onEdgeMachines(ctx, hosts, machines, async ({ key, host }) => {
      const applied = isUnknown ? undefined : known.applied.get(key)
      // If the update fails halfway, the state of the machine is unknown.
      known.applied.delete(key)
      const now = await ensureApplied(ctx, host, { server, applied })
      if (now) known.applied.set(key, now)
      return now
    })
    known.leftOut.set(server.id, leftOut)
    const [own] = results
    if (own && !own.isLive)
      throw new HaproxyFailed(`HAProxy does not run on ${server.name}. Start it there, then try again`)
  })
  return known.leftOut.get(server.id) ?? []
}

/** Whether the records differ from the state that this process last applied to the server. */
export async function isHaproxyBehind(ctx: Context, hosts: Hosts, server: ServerAddress): Promise<boolean> {
  const applied = knownStatesOf(hosts).applied.get(keyOf(server))
  return !applied || digestOf(await readHaproxyRecords(ctx, ctx.db, server.id)) !== applied.digest
}

/** A state that a machine accepted from this process. */
type AppliedState = {
  readonly version: number
  readonly digest: string
  readonly isLive: boolean
  readonly verifiedAt: number
}

type KnownStates = {
  readonly serializer: Serializer
  readonly forced: Set<number>
  readonly applied: Map<string, AppliedState>
  /** By server: what the last update left out. */
  readonly leftOut: Map<number, readonly string[]>
}

const knownStates = new WeakMap<Hosts, KnownStates>()

/** What this process knows about the servers behind these hosts, for as long as the hosts exist. */
function knownStatesOf(hosts: Hosts): KnownStates {
  const known = knownStates.get(hosts) ?? {
    serializer: createSerializer(),
    forced: new Set(),
    applied: new Map(),
    leftOut: new Map(),
  }
  knownStates.set(hosts, known)
  return known
}

type UpdateTarget = { readonly server: ServerAddress; readonly applied: AppliedState | undefined }

/** Undefined if the server was deleted. */
async function ensureApplied(
  ctx: Context,
  host: Host,
  { server, applied }: UpdateTarget,
): Promise<AppliedState | undefined> {
  const records = applied && (await readHaproxyRecords(ctx, ctx.db, server.id))
  if (!applied || !records || digestOf(records) !== applied.digest) return applyNewState(ctx, host, server)
  if (applied.isLive && ctx.clock() < applied.verifiedAt + VERIFY_MS) return applied
  // If the server has a newer state than ours, another process of the platform read it from the same records.
  const { isLive } = await apply(ctx, host, { server, state: { version: applied.version, ...records } })
  return { ...applied, isLive, verifiedAt: ctx.clock() }
}

async function applyNewState(ctx: Context, host: Host, server: ServerAddress): Promise<AppliedState | undefined> {
  let above = 0
  for (let turn = 0; turn < 3; turn++) {
    const state = await readNextState(ctx, server.id, above)
    if (!state) return undefined
    const { outcome, version, isLive } = await apply(ctx, host, { server, state })
    if (outcome === 'applied') return { version, digest: digestOf(state), isLive, verifiedAt: ctx.clock() }
    // Another process was faster. Or the database was restored from a backup, and the server has seen higher versions than it.
    above = version
  }
  throw new HaproxyFailed(`The edge of ${server.name} is being changed by other processes. Try again`)
}

async function readNextState(ctx: Context, serverId: number, above: number): Promise<HaproxyState | undefined> {
  return ctx.change(PLATFORM, async (tx) => {
    const version = await raiseEdgeVersion(tx, serverId, { above })
    return version === undefined ? undefined : { version, ...(await readHaproxyRecords(ctx, tx, serverId)) }
  })
}

async function apply(ctx: Context, host: Host, { server, state }: { server: ServerAddress; state: HaproxyState }) {
  const result = await applyHaproxyState(host, haproxyFolderOf(ctx, server), state)
  if (result.refused.length > 0)
    ctx.log.error({ server: server.id, domains: result.refused }, 'domains were left out of the edge of a server')
  return result
}

function digestOf(records: HaproxyRecords): string {
  const { routes, acme } = haproxyFiles(records)
  return hash('sha256', routes + acme)
}
