// Rows of ports: which environment has a port of a machine, through any server record of that machine. An environment keeps its ports until it
// is removed, so routes survive restarts, also on a server that it was moved away from, where its services may still listen. A port
// that a repository names is claimed in the same table, by the environment and not by one service, since two may share it: its row has
// `:{port}` as the service, which is no valid name of one.
//
// A port of a machine belongs to one environment, whether it was allocated or named by its `.service.yml`, and whichever server record of that
// machine the environment uses. The embedded edge follows a route only to such a port.
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { idList } from '../id-list.ts'
import { lockMachineOf } from '../servers/machines.ts'
import type { Tables } from '../tables/tables.ts'

type Slot = 'a' | 'b'
/** A service has a port in each of its slots. */
export type SlotPort = {
  readonly service: string
  readonly slot: Slot
  readonly port: number
  /** The port that it had, where that was replaced. */
  readonly insteadOf?: number
}

type OnServer = { readonly serverId: number; readonly environmentId: number }

type PortsToAllot = OnServer & {
  readonly services: readonly string[]
  readonly slots: readonly Slot[]
  readonly range: PortRange
  /** Ports that no environment may have. */
  readonly reserved?: readonly number[]
  /** What was seen on the server: ports that are in use, and those of them that are not this environment's. */
  readonly seen?: { readonly inUse: ReadonlySet<number>; readonly foreign: ReadonlySet<number> }
}

type PortRange = { readonly first: number; readonly last: number }

/**
 * The ports of each service, allocated where it has none yet, and replaced where something foreign has taken one; undefined if the
 * server has no port left.
 */
export async function allocatePorts(
  database: Kysely<Tables>,
  wanted: PortsToAllot,
): Promise<readonly SlotPort[] | undefined> {
  if (wanted.services.length === 0) return []
  return database.transaction().execute(async (db) => {
    const machineId = await lockPorts(db, wanted.serverId)
    const { rows } = await sql<{ port: number }>`${takenOn(machineId)}`.execute(db)
    const { inUse = [], foreign = new Set() } = wanted.seen ?? {}
    const taken = new Set([...rows.map(({ port }) => port), ...(wanted.reserved ?? []), ...inUse])
    const own = await listOwn(db, wanted)
    const ports: SlotPort[] = []
    for (const { service, slot } of wanted.services.flatMap((name) =>
      wanted.slots.map((slot) => ({ service: name, slot })),
    )) {
      const known = own.find((row) => row.service === service && row.slot === slot)
      if (known && !foreign.has(known.port)) {
        ports.push({ service, slot, port: known.port })
        continue
      }
      const port = firstFree(wanted.range, taken)
      if (port === undefined) return undefined
      taken.add(port)
      ports.push({ service, slot, port, ...(known && { insteadOf: known.port }) })
      const row = { server_id: wanted.serverId, environment_id: wanted.environmentId, service, slot }
      if (known) await replacePort(db, { ...row, machine_id: machineId }, { from: known.port, to: port })
      else
        await db
          .insertInto('ports')
          .values({ ...row, machine_id: machineId, port })
          .execute()
    }
    return ports
  })
}

type Row = Omit<Selectable<Tables['ports']>, 'port'>

/** A port that a route leads to stays the environment's until another one serves: as a claim, which is released then. */
async function replacePort(db: Kysely<Tables>, row: Row, { from, to }: { from: number; to: number }): Promise<void> {
  const { machine_id: machineId, ...slot } = row
  await db
    .updateTable('ports')
    .set({ port: to, machine_id: machineId })
    .where((eb) => eb.and(slot))
    .execute()
  const routed = await db
    .selectFrom('routes as r')
    .innerJoin('domains as d', 'd.domain', 'r.domain')
    .where('d.environment_id', '=', row.environment_id)
    .where('r.port', '=', from)
    .select('r.port')
    .executeTakeFirst()
  if (!routed) return
  await db
    .insertInto('ports')
    .values({ ...row, service: `:${from}`, port: from })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type TakenPort = { readonly port: number; readonly environment: string; readonly project: string }

/** Claims all of these ports, or none: then those come back that other environments have. */
export async function claimPorts(
  database: Kysely<Tables>,
  { serverId, environmentId, ports }: OnServer & { readonly ports: readonly number[] },
): Promise<readonly TakenPort[]> {
  const own = await listOwn(database, { serverId, environmentId })
  if (ports.every((port) => own.some((row) => row.port === port))) return []
  return database.transaction().execute(async (db) => {
    const machineId = await lockPorts(db, serverId)
    const { rows: taken } = await sql<TakenPort>`
      select taken.port, e.name as environment, p.name as project from (${takenOn(machineId)}) taken
      join environments e on e.id = taken.environment_id
      join projects p on p.id = e.project_id
      where taken.environment_id <> ${environmentId} and taken.port in (${idList(ports)})
      order by taken.port, e.id`.execute(db)
    if (taken.length > 0) return taken
    const rows = [...new Set(ports)].map((port) => ({ port, service: `:${port}` }))
    await db
      .insertInto('ports')
      .values(
        rows.map((row) => ({ ...row, machine_id: machineId, server_id: serverId, environment_id: environmentId })),
      )
      // Already the environment's own.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return []
  })
}

/** Releases the claims on this server that no route of the environment leads to. */
export async function releasePorts(db: Kysely<Tables>, { serverId, environmentId }: OnServer): Promise<void> {
  await sql`delete from ports where server_id = ${serverId} and environment_id = ${environmentId} and service like ':%'
    and port not in (select r.port from routes r join domains d on d.domain = r.domain
      where d.environment_id = ${environmentId})`.execute(db)
}

/** The slots on this server that routes of these environments lead to. */
export async function listRoutedSlots(
  db: Kysely<Tables>,
  serverId: number,
  environmentIds: readonly number[],
): Promise<readonly { readonly environmentId: number; readonly service: string; readonly slot: Slot }[]> {
  const { rows } = await sql<{ environment_id: number; service: string; slot: Slot }>`
    select p.environment_id, p.service, p.slot from ports p
    where p.server_id = ${serverId} and p.environment_id in (${idList(environmentIds)}) and p.service not like ':%'
      and p.port in (select r.port from routes r join domains d on d.domain = r.domain join tasks t on t.id = r.task_id
        where d.environment_id = p.environment_id and coalesce(t.server_id, p.server_id) = p.server_id)`.execute(db)
  return rows.map(({ environment_id: environmentId, service, slot }) => ({ environmentId, service, slot }))
}

export async function deletePorts(db: Kysely<Tables>, { environmentId, serverId }: OnServer): Promise<void> {
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

const listOwn = (db: Kysely<Tables>, { serverId, environmentId }: OnServer) =>
  db
    .selectFrom('ports')
    .where('server_id', '=', serverId)
    .where('environment_id', '=', environmentId)
    .selectAll()
    .execute()

/** Serializes the allocation of ports of a machine. */
async function lockPorts(db: Kysely<Tables>, serverId: number): Promise<number> {
  const machineId = await lockMachineOf(db, serverId)
  if (machineId === undefined) throw new Error(`The server ${serverId} is gone`)
  return machineId
}

/** Also what routes lead to: a deployment from before ports were claimed has nothing but its route. */
const takenOn = (machineId: number): RawBuilder<unknown> => sql`
  select port, environment_id from ports where machine_id = ${machineId}
  union
  select r.port, d.environment_id from routes r join domains d on d.domain = r.domain
  join tasks t on t.id = r.task_id join servers s on s.id = t.server_id and s.machine_id = ${machineId}`

function firstFree({ first, last }: PortRange, taken: ReadonlySet<number>): number | undefined {
  for (let port = first; port <= last; port++) if (!taken.has(port)) return port
  return undefined
}
