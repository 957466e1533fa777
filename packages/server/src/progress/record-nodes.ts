// Stores what a manager says of its Swarm, if that changed. The first answer pins the Swarm's id.
import type { SwarmNode } from '@shipway/api/servers'
import type { Context } from '../context.ts'
import { NotAManager, SwarmTaken } from '../domain/errors.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import type { ServerAddress } from '../domain/server-address.ts'
import type { SwarmState } from '../domain/swarm/swarm-state.ts'
import { violatedUnique } from '../store/database.ts'
import { findNodes, upsertNodes } from '../store/servers/nodes.ts'
import { findSwarmId, lockServer, updateServer } from '../store/servers/servers.ts'

type SwarmReading = { readonly server: Pick<ServerAddress, 'id' | 'name'>; readonly swarm: SwarmState }

/** Throws NotAManager where the machine is in another Swarm than before, and SwarmTaken where the Swarm is pinned to another record. */
export async function recordNodes(
  ctx: Pick<Context, 'db' | 'change' | 'clock'>,
  { server, swarm }: SwarmReading,
): Promise<void> {
  const swarmId = await findSwarmId(ctx.db, server.id)
  if (swarmId !== undefined && swarmId !== null && swarmId !== swarm.id) throw NotAManager(server.name)
  const seen = await findNodes(ctx.db, server.id)
  if (swarmId === swarm.id && seen && isSame(seen.nodes, swarm.nodes) && ctx.clock() - seen.seenAt < REPEAT_MS) return
  const recorded = ctx.change(PLATFORM, async (tx) => {
    await lockServer(tx, server.id)
    // Undefined: the server was deleted meanwhile.
    const pinned = await findSwarmId(tx, server.id)
    if (pinned === undefined || (pinned !== null && pinned !== swarm.id)) return
    if (pinned === null) await updateServer(tx, server.id, { swarm_id: swarm.id })
    await upsertNodes(tx, server.id, { nodes: swarm.nodes, seenAt: ctx.clock() })
  })
  await recorded.catch((error: unknown) => {
    throw violatedUnique(error) === 'servers(swarm_id)' ? SwarmTaken(server.name) : error
  })
}

/** Readers learn that the list is still read. */
const REPEAT_MS = 60_000

/** Free memory and disk change all the time: a tenth more or less is the same. */
function isSame(before: readonly SwarmNode[], now: readonly SwarmNode[]): boolean {
  return JSON.stringify(before.map(withoutFree)) === JSON.stringify(now.map(withoutFree)) && before.every(isNear(now))
}

const withoutFree = ({ free_memory_bytes: _memory, free_disk_bytes: _disk, ...node }: SwarmNode) => node

const isNear =
  (now: readonly SwarmNode[]) =>
  (before: SwarmNode, index: number): boolean =>
    (['free_memory_bytes', 'free_disk_bytes'] as const).every((field) => {
      const [one, other] = [before[field], now[index]?.[field] ?? null]
      if (one === null || other === null) return one === other
      return Math.abs(one - other) * 10 <= Math.max(one, other)
    })
