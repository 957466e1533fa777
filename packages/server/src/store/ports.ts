// Rows of ports: what the platform allots on a server. An environment keeps its ports for life, so routes survive restarts; also those
// on a server that it was moved away from, where something of it may still listen.
import { type Kysely, sql } from 'kysely'
import { idList } from './id-list.ts'
import type { Tables } from './tables.ts'

type Slot = 'a' | 'b'
/** A service has a port in each of its slots. */
export type SlotPort = { readonly service: string; readonly slot: Slot; readonly port: number }

type Wanted = {
  readonly serverId: number
  readonly environmentId: number
  readonly services: readonly string[]
  readonly slots: readonly Slot[]
  readonly range: PortRange
}

type PortRange = { readonly first: number; readonly last: number }

/** The ports of each service, allotted where it has none yet; undefined where the server has no port left. */
export async function allotPorts(database: Kysely<Tables>, wanted: Wanted): Promise<readonly SlotPort[] | undefined> {
  return database.transaction().execute(async (db) => {
    // One allotting at a time on a server.
    await sql`update servers set id = id where id = ${wanted.serverId}`.execute(db)
    const rows = await db.selectFrom('ports').where('server_id', '=', wanted.serverId).selectAll().execute()
    const taken = new Set(rows.map(({ port }) => port))
    const own = rows.filter((row) => row.environment_id === wanted.environmentId)
    const ports: SlotPort[] = []
    for (const { service, slot } of wanted.services.flatMap((name) =>
      wanted.slots.map((slot) => ({ service: name, slot })),
    )) {
      const known = own.find((row) => row.service === service && row.slot === slot)
      const port = known?.port ?? firstFree(wanted.range, taken)
      if (port === undefined) return undefined
      ports.push({ service, slot, port })
      if (known) continue
      taken.add(port)
      await db
        .insertInto('ports')
        .values({ server_id: wanted.serverId, environment_id: wanted.environmentId, service, slot, port })
        .execute()
    }
    return ports
  })
}

/** The slots on this server that routes of these environments lead to. */
export async function listRoutedSlots(
  db: Kysely<Tables>,
  serverId: number,
  environmentIds: readonly number[],
): Promise<readonly { readonly environmentId: number; readonly service: string; readonly slot: Slot }[]> {
  const { rows } = await sql<{ environment_id: number; service: string; slot: Slot }>`
    select p.environment_id, p.service, p.slot from ports p
    where p.server_id = ${serverId} and p.environment_id in (${idList(environmentIds)}) and p.port in (
      select r.port from routes r join domains d on d.domain = r.domain join tasks t on t.id = r.task_id
      where d.environment_id = p.environment_id and coalesce(t.server_id, p.server_id) = p.server_id)`.execute(db)
  return rows.map(({ environment_id: environmentId, service, slot }) => ({ environmentId, service, slot }))
}

export async function deletePorts(
  db: Kysely<Tables>,
  { environmentId, serverId }: Pick<Wanted, 'environmentId' | 'serverId'>,
): Promise<void> {
  await db.deleteFrom('ports').where('environment_id', '=', environmentId).where('server_id', '=', serverId).execute()
}

/** Once nothing of them is left on the server; of these environments, or of all. */
export async function deletePortsOfRemoved(
  db: Kysely<Tables>,
  serverId: number,
  environmentIds?: readonly number[],
): Promise<void> {
  await sql`delete from ports where server_id = ${serverId}
    and environment_id in (select id from environments where removed_at is not null)
    ${environmentIds ? sql`and environment_id in (${idList(environmentIds)})` : sql``}`.execute(db)
}

function firstFree({ first, last }: PortRange, taken: ReadonlySet<number>): number | undefined {
  for (let port = first; port <= last; port++) if (!taken.has(port)) return port
  return undefined
}
