// Rows of server_nodes: what a manager of a Swarm said of its nodes when it was last asked.
import { SwarmNode } from '@shipway/api/servers'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type SeenNodes = { readonly nodes: readonly SwarmNode[]; readonly seenAt: number }

export async function findNodes(db: Kysely<Tables>, serverId: number): Promise<SeenNodes | undefined> {
  return (await listNodesOf(db, [serverId])).get(serverId)
}

export async function listNodesOf(
  db: Kysely<Tables>,
  serverIds: readonly number[],
): Promise<ReadonlyMap<number, SeenNodes>> {
  if (serverIds.length === 0) return new Map()
  const rows = await db.selectFrom('server_nodes').where('server_id', 'in', serverIds).selectAll().execute()
  return new Map(rows.map((row) => [row.server_id, { nodes: parse(row.nodes), seenAt: row.seen_at }]))
}

const parse = (text: string): readonly SwarmNode[] => z.array(SwarmNode).parse(JSON.parse(text))

export async function upsertNodes(tx: Change, serverId: number, { nodes, seenAt }: SeenNodes): Promise<void> {
  const values = { seen_at: seenAt, nodes: JSON.stringify(nodes) }
  await tx
    .insertInto('server_nodes')
    .values({ server_id: serverId, ...values })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(values))
    .execute()
  tx.notify({ about: 'server', id: serverId, how: 'updated' })
}
