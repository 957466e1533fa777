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
import { haproxyFolderOf } from './haproxy-folder.ts'
import { type HaproxyRecords, readHaproxyRecords } from './haproxy-records.ts'

const VERIFY_MS = 60_000

type HaproxyUpdate = {
  readonly server: ServerAddress
  /** Asks the server even if this process believes it is up to date. */
  readonly isForced?: boolean
  /** Stops the command that runs on the server. */
  readonly signal?: AbortSignal
}

/** One update at a time per server. Rejects if HAProxy does not serve the records afterwards. */
export async function updateHaproxyEdge(
  ctx: Context,
  hosts: Hosts,
  { isForced = false, signal, server }: HaproxyUpdate,
): Promise<void> {
  const known = knownStatesOf(hosts)
  const host = stoppable(hosts.of(server), signal)
  if (isForced) known.forced.add(server.id)
  await known.turns.runShared(server.id, async () => {
    const applied = known.forced.delete(server.id) ? undefined : known.applied.get(server.id)
    // If the update fails halfway, the state of the server is unknown.
    known.applied.delete(server.id)
    const now = await ensureApplied(ctx, host, { server, applied })
    if (!now) return
    known.applied.set(server.id, now)
    if (!now.isLive) throw new HaproxyFailed(`HAProxy does not run on ${server.name}. Start it there, then try again`)
  })
}

/** Whether the records differ from the state that this process last applied to the server. */
export async function isHaproxyBehind(ctx: Context, hosts: Hosts, serverId: number): Promise<boolean> {
  const applied = knownStatesOf(hosts).applied.get(serverId)
  return !applied || digestOf(await readHaproxyRecords(ctx, ctx.db, serverId)) !== applied.digest
}

/** A state that the server accepted from this process. */
type AppliedState = {
  readonly version: number
  readonly digest: string
  readonly isLive: boolean
  readonly verifiedAt: number
}

type KnownStates = {
  readonly turns: Serializer
  readonly forced: Set<number>
  readonly applied: Map<number, AppliedState>
}

const knownStates = new WeakMap<Hosts, KnownStates>()

/** What this process knows about the servers behind these hosts, for as long as the hosts exist. */
function knownStatesOf(hosts: Hosts): KnownStates {
  const known = knownStates.get(hosts) ?? { turns: createSerializer(), forced: new Set(), applied: new Map() }
  knownStates.set(hosts, known)
  return known
}

const stoppable = (host: Host, signal: AbortSignal | undefined): Host =>
  signal ? { ...host, run: (command, options) => host.run(command, { ...options, signal }) } : host

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
