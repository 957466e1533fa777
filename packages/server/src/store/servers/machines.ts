/**
 * Rows of machines: which organization owns a machine. Its host key identifies it, and it belongs to the first organization that proved to
 * own it: the machine accepts certificates with the principal of one of that organization's servers, which only its
 * administrator can have arranged. Naming a key proves nothing, since host keys are public.
 *
 * A server has a machine from the beginning, without a key. Signing in gives it the key, or leads the server to the machine of its
 * organization that has the key already: two servers that are one machine share its ports. The unique index on the key holds the
 * rule that no two organizations share a machine.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** `foreign`: another organization has the machine. `changed`: the record is not what was connected with any more. */
export type MachineClaim = 'own' | 'foreign' | 'changed'

export type ObservedMachine = {
  /** As it was connected with. */
  readonly server: Pick<ServerAddress, 'id' | 'hostname' | 'port' | 'hostKey'>
  /** The key that the machine proved to have. */
  readonly hostKey: string
  readonly at: number
}

/** Whether another organization has proved that the machine with this key is its own. */
export async function isMachineOfOthers(
  db: Kysely<Tables>,
  { organizationId, hostKey }: { readonly organizationId: number; readonly hostKey: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('machines')
    .where('host_key', '=', hostKey)
    .select('organization_id')
    .executeTakeFirst()
  return row !== undefined && row.organization_id !== organizationId
}

/** For a new server, or one whose host key changed: nothing is proved yet. */
export async function insertMachine(
  db: Kysely<Tables>,
  organizationId: number,
  hostKey: string | null = null,
): Promise<number> {
  const values = { organization_id: organizationId, host_key: hostKey }
  const { id } = await db.insertInto('machines').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The one that the platform itself runs on. */
export async function findOwnMachine(db: Kysely<Tables>): Promise<number> {
  const row = db.selectFrom('machines').where('organization_id', 'is', null).select('id')
  return (await row.executeTakeFirstOrThrow()).id
}

/** Releases the claim: the key is free again unless another server has it. The server keeps its ports. */
export async function separateFromMachine(tx: Change, serverId: number): Promise<void> {
  const server = await lockServer(tx, serverId)
  if (!server || server.connection === 'local') return
  const machineId = await insertMachine(tx, server.organization_id)
  await moveToMachine(tx, { serverId, from: server.machine_id, to: machineId })
}

/** After a server is deleted: a machine without servers has no owner. */
export async function deleteUnusedMachine(db: Kysely<Tables>, id: number): Promise<void> {
  await sql`delete from machines where id = ${id} and organization_id is not null
    and not exists (select 1 from servers s where s.machine_id = machines.id)`.execute(db)
}

/**
 * Serializes the allocation of ports of a machine and the versions of its edge. Locks the server first, as everywhere, so that its
 * machine stays the same until the end of the transaction, without deadlocks. Undefined if the server was deleted.
 */
export async function lockMachineOf(db: Kysely<Tables>, serverId: number): Promise<number | undefined> {
  const server = await lockServer(db, serverId)
  if (server) await sql`update machines set id = id where id = ${server.machine_id}`.execute(db)
  return server?.machine_id
}

export async function isClaimed(db: Kysely<Tables>, { server, hostKey }: ObservedMachine): Promise<boolean> {
  const row = await db
    .selectFrom('servers as s')
    .innerJoin('machines as m', 'm.id', 's.machine_id')
    .where('s.id', '=', server.id)
    .where('s.hostname', '=', server.hostname)
    .where('s.port', '=', server.port)
    .where('s.host_key', '=', hostKey)
    .where('m.host_key', '=', hostKey)
    .where('s.signed_in_at', 'is not', null)
    .select('s.id')
    .executeTakeFirst()
  return row !== undefined
}

/** A concurrent claim of the same key violates `machines(host_key)`. */
export async function claimMachine(tx: Change, { server, hostKey, at }: ObservedMachine): Promise<MachineClaim> {
  const row = await lockServer(tx, server.id)
  if (!row || row.hostname !== server.hostname || row.port !== server.port) return 'changed'
  // The key may have been released meanwhile, or pinned by another process.
  if (row.host_key !== server.hostKey && row.host_key !== hostKey) return 'changed'
  const { rows } = await sql<{ id: number; organization_id: number | null }>`
    update machines set id = id where host_key = ${hostKey} returning id, organization_id`.execute(tx)
  const [holder] = rows
  if (holder && holder.organization_id !== row.organization_id) return 'foreign'
  const to = holder?.id ?? (await giveKey(tx, row, hostKey))
  if (to !== row.machine_id) await moveToMachine(tx, { serverId: server.id, from: row.machine_id, to })
  await sql`update servers set host_key = ${hostKey}, signed_in_at = coalesce(signed_in_at, ${at})
    where id = ${server.id}`.execute(tx)
  tx.notify({ about: 'server', id: server.id, how: 'updated' })
  return 'own'
}

type LockedServer = Pick<
  Tables['servers'],
  'connection' | 'hostname' | 'port' | 'host_key' | 'organization_id' | 'machine_id'
>

/** Serializes changes of a server's machine and the allocation of its ports. */
async function lockServer(db: Kysely<Tables>, id: number): Promise<LockedServer | undefined> {
  const { rows } = await sql<LockedServer>`
    update servers set id = id where id = ${id}
    returning connection, hostname, port, host_key, organization_id, machine_id`.execute(db)
  return rows[0]
}

/** To the server's own machine, unless that has another key already: then it is another machine. */
async function giveKey(db: Kysely<Tables>, server: LockedServer, hostKey: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    update machines set host_key = ${hostKey} where id = ${server.machine_id} and host_key is null returning id`.execute(
    db,
  )
  return rows[0]?.id ?? insertMachine(db, server.organization_id, hostKey)
}

/** Releases a port that the other machine has allocated already: the next deployment gets another. */
async function moveToMachine(
  db: Kysely<Tables>,
  { serverId, from, to }: { readonly serverId: number; readonly from: number; readonly to: number },
): Promise<void> {
  await sql`delete from ports where server_id = ${serverId}
    and port in (select port from ports where machine_id = ${to})`.execute(db)
  await sql`update ports set machine_id = ${to} where server_id = ${serverId}`.execute(db)
  await sql`update servers set machine_id = ${to} where id = ${serverId}`.execute(db)
  await deleteUnusedMachine(db, from)
}

/**
 * The servers on the same machine as this one, itself included, for `in`. Records of the platform's own machine count alone: only its
 * administrators make several.
 */
export const serversOfMachine = (serverId: number): RawBuilder<unknown> => sql`(
  select o.id from servers o join servers own on own.id = ${serverId}
    and (o.id = own.id or (o.machine_id = own.machine_id and o.connection = 'ssh')))`
