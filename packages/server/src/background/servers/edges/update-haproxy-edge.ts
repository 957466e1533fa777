/**
 * Updates HAProxy on a server to what the records say. The transaction that reads a state also increments its version, and the
 * server refuses a version lower than the one it has: a late writer with an old state overwrites nothing.
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
  /** Asks the server even where this process believes it to be up to date. */
  readonly isForced?: boolean
  /** Stops the command that runs on the server. */
  readonly signal?: AbortSignal
}

/** One update at a time per server. Rejects where the server does not answer by the records afterwards. */
export async function updateHaproxyEdge(
  ctx: Context,
  hosts: Hosts,
  { isForced = false, signal, server }: HaproxyUpdate,
): Promise<void> {
  const known = knownBehind(hosts)
  const host = stoppable(hosts.of(server), signal)
  if (isForced) known.forced.add(server.id)
  await known.turns.runShared(server.id, async () => {
    const brought = known.forced.delete(server.id) ? undefined : known.brought.get(server.id)
    // If the update breaks off, nobody knows what the server has.
    known.brought.delete(server.id)
    const now = await bring(ctx, host, { server, brought })
    if (!now) return
    known.brought.set(server.id, now)
    if (!now.isLive) throw new HaproxyFailed(`HAProxy does not run on ${server.name}. Start it there, then try again`)
  })
}

/** Whether the records differ from the state that this process last brought to the server. */
export async function isHaproxyBehind(ctx: Context, hosts: Hosts, serverId: number): Promise<boolean> {
  const brought = knownBehind(hosts).brought.get(serverId)
  return !brought || digestOf(await readHaproxyRecords(ctx, ctx.db, serverId)) !== brought.digest
}

/** A state that the server accepted from this process. */
type BroughtState = {
  readonly version: number
  readonly digest: string
  readonly isLive: boolean
  readonly verifiedAt: number
}

type KnownStates = {
  readonly turns: Serializer
  readonly forced: Set<number>
  readonly brought: Map<number, BroughtState>
}

const knownStates = new WeakMap<Hosts, KnownStates>()

/** What this process knows about the servers behind these hosts, for as long as the hosts exist. */
function knownBehind(hosts: Hosts): KnownStates {
  const known = knownStates.get(hosts) ?? { turns: createSerializer(), forced: new Set(), brought: new Map() }
  knownStates.set(hosts, known)
  return known
}

const stoppable = (host: Host, signal: AbortSignal | undefined): Host =>
  signal ? { ...host, run: (command, options) => host.run(command, { ...options, signal }) } : host

type Earlier = { readonly server: ServerAddress; readonly brought: BroughtState | undefined }

/** Undefined where the server is gone. */
async function bring(ctx: Context, host: Host, { server, brought }: Earlier): Promise<BroughtState | undefined> {
  const records = brought && (await readHaproxyRecords(ctx, ctx.db, server.id))
  if (!brought || !records || digestOf(records) !== brought.digest) return bringAnew(ctx, host, server)
  if (brought.isLive && ctx.clock() < brought.verifiedAt + VERIFY_MS) return brought
  // If the server has a newer state than ours, another process of the platform read it from the same records.
  const { isLive } = await apply(ctx, host, { server, state: { version: brought.version, ...records } })
  return { ...brought, isLive, verifiedAt: ctx.clock() }
}

async function bringAnew(ctx: Context, host: Host, server: ServerAddress): Promise<BroughtState | undefined> {
  let above = 0
  for (let turn = 0; turn < 3; turn++) {
    const state = await takeState(ctx, server.id, above)
    if (!state) return undefined
    const { outcome, version, isLive } = await apply(ctx, host, { server, state })
    if (outcome === 'applied') return { version, digest: digestOf(state), isLive, verifiedAt: ctx.clock() }
    // Another process was faster. Or the database was restored from a backup, and the server has seen higher versions than it.
    above = version
  }
  throw new HaproxyFailed(`The edge of ${server.name} is changed by others all the time. Try again`)
}

async function takeState(ctx: Context, serverId: number, above: number): Promise<HaproxyState | undefined> {
  return ctx.change(PLATFORM, async (tx) => {
    const version = await raiseEdgeVersion(tx, serverId, { above })
    return version === undefined ? undefined : { version, ...(await readHaproxyRecords(ctx, tx, serverId)) }
  })
}

async function apply(ctx: Context, host: Host, { server, state }: { server: ServerAddress; state: HaproxyState }) {
  const applied = await applyHaproxyState(host, haproxyFolderOf(ctx, server), state)
  if (applied.refused.length > 0)
    ctx.log.error({ server: server.id, domains: applied.refused }, 'domains were left out of the edge of a server')
  return applied
}

function digestOf(records: HaproxyRecords): string {
  const { routes, acme } = haproxyFiles(records)
  return hash('sha256', routes + acme)
}
