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
    and not exists (select 1 from servers s where s.machine_id = machines.id)
    and not exists (select 1 from server_managers m where m.machine_id = machines.id)`.execute(db)
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
  return row !== undefined || isClaimedManager(db, { server, hostKey })
}

/** Another manager of a Swarm than the one in use. */
async function isClaimedManager(
  db: Kysely<Tables>,
  { server, hostKey }: Pick<ObservedMachine, 'server' | 'hostKey'>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from server_managers g join machines m on m.id = g.machine_id
    where g.server_id = ${server.id} and g.hostname = ${server.hostname} and g.port = ${server.port}
      and g.host_key = ${hostKey} and m.host_key = ${hostKey} and g.signed_in_at is not null
      and not exists (select 1 from servers s
        where s.id = g.server_id and s.hostname = g.hostname and s.port = g.port)`.execute(db)
  return rows.length > 0
}

/** A concurrent claim of the same key violates `machines(host_key)`. */
export async function claimMachine(tx: Change, { server, hostKey, at }: ObservedMachine): Promise<MachineClaim> {
  const row = await lockServer(tx, server.id)
  if (!row) return 'changed'
  if (row.hostname !== server.hostname || row.port !== server.port)
    return claimManager(tx, { server, hostKey, at }, row.organization_id)
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
  await pinManager(tx, { server, hostKey, at }, to)
  tx.notify({ about: 'server', id: server.id, how: 'updated' })
  return 'own'
}

/** A manager of a Swarm that is not in use: it may take over from now on. */
async function claimManager(
  tx: Change,
  { server, hostKey, at }: ObservedMachine,
  organizationId: number,
): Promise<MachineClaim> {
  const { rows } = await sql<{ host_key: string | null }>`
    select host_key from server_managers
    where server_id = ${server.id} and hostname = ${server.hostname} and port = ${server.port}`.execute(tx)
  const [manager] = rows
  if (!manager || (manager.host_key !== null && manager.host_key !== hostKey)) return 'changed'
  if (await isMachineOfOthers(tx, { organizationId, hostKey })) return 'foreign'
  const holder = await tx.selectFrom('machines').where('host_key', '=', hostKey).select('id').executeTakeFirst()
  await pinManager(tx, { server, hostKey, at }, holder?.id ?? (await insertMachine(tx, organizationId, hostKey)))
  tx.notify({ about: 'server', id: server.id, how: 'updated' })
  return 'own'
}

/** Nothing, where the server is no Swarm. */
async function pinManager(tx: Change, { server, hostKey, at }: ObservedMachine, machineId: number): Promise<void> {
  await sql`update server_managers
    set host_key = ${hostKey}, machine_id = ${machineId}, signed_in_at = coalesce(signed_in_at, ${at})
    where server_id = ${server.id} and hostname = ${server.hostname} and port = ${server.port}`.execute(tx)
}

type Takeover = {
  readonly serverId: number
  /** The address of the manager that is lost. */
  readonly from: { readonly hostname: string; readonly port: number }
  readonly to: { readonly hostname: string; readonly port: number }
}

/**
 * Gives the record of a Swarm the address and the key of another manager, which has signed in before and is no machine of another record.
 * Its ports go with it, since there they are names of the whole Swarm. False if the record has changed meanwhile.
 */
export async function useManager(tx: Change, { serverId, from, to }: Takeover): Promise<boolean> {
  const server = await lockServer(tx, serverId)
  if (!server || server.hostname !== from.hostname || server.port !== from.port) return false
  const { rows } = await sql<{ host_key: string; machine_id: number; may_be_private: 0 | 1; signed_in_at: number }>`
    select host_key, machine_id, may_be_private, signed_in_at from server_managers g
    where server_id = ${serverId} and hostname = ${to.hostname} and port = ${to.port}
      and host_key is not null and machine_id is not null and signed_in_at is not null
      and not exists (select 1 from servers o where o.machine_id = g.machine_id and o.id <> ${serverId})`.execute(tx)
  const [manager] = rows
  if (!manager) return false
  if (manager.machine_id !== server.machine_id)
    await moveToMachine(tx, { serverId, from: server.machine_id, to: manager.machine_id })
  await sql`update servers set hostname = ${to.hostname}, port = ${to.port}, host_key = ${manager.host_key},
    may_be_private = ${manager.may_be_private}, signed_in_at = ${manager.signed_in_at} where id = ${serverId}`.execute(
    tx,
  )
  tx.notify({ about: 'server', id: serverId, how: 'updated' })
  tx.notify({ about: 'connection', id: serverId })
  return true
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
