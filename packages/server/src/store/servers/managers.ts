// Rows of server_managers: the addresses of a Swarm's managers. The record of the server has the one in use.
import type { Kysely, Selectable } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'
import { deleteUnusedMachine } from './machines.ts'

export type ServerManager = {
  readonly hostname: string
  readonly port: number
  readonly hostKey: string | null
  readonly machineId: number | null
  readonly mayBePrivate: boolean
  readonly hasSignedIn: boolean
}

type ManagerAddress = Pick<ServerManager, 'hostname' | 'port'>

export async function listManagers(db: Kysely<Tables>, serverId: number): Promise<readonly ServerManager[]> {
  return (await listManagersOf(db, [serverId])).get(serverId) ?? []
}

export async function listManagersOf(
  db: Kysely<Tables>,
  serverIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ServerManager[]>> {
  if (serverIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('server_managers')
    .where('server_id', 'in', serverIds)
    .orderBy('created_at')
    .orderBy('hostname')
    .orderBy('port')
    .selectAll()
    .execute()
  return new Map([...Map.groupBy(rows, (row) => row.server_id)].map(([id, all]) => [id, all.map(toManager)]))
}

/** The server as it is reached at another of its managers. */
export function atManager(server: ServerAddress, manager: ServerManager): ServerAddress {
  const { hostname, port, hostKey, mayBePrivate, hasSignedIn } = manager
  return { ...server, hostname, port, hostKey, mayBePrivate, hasSignedIn }
}

export const isSameAddress = (one: ManagerAddress, other: ManagerAddress): boolean =>
  one.hostname === other.hostname && one.port === other.port

type NewManager = ManagerAddress & {
  readonly serverId: number
  readonly hostKey: string | null
  readonly mayBePrivate: boolean
  readonly at: number
}

/** The caller, who changes the server, notifies of it. */
export async function insertManager(tx: Change, manager: NewManager): Promise<void> {
  await tx
    .insertInto('server_managers')
    .values({
      server_id: manager.serverId,
      hostname: manager.hostname,
      port: manager.port,
      host_key: manager.hostKey,
      may_be_private: manager.mayBePrivate ? 1 : 0,
      created_at: manager.at,
    })
    .execute()
}

/** Releases the machine that only this manager was. */
export async function deleteManager(tx: Change, serverId: number, { hostname, port }: ManagerAddress): Promise<void> {
  const deleted = await tx
    .deleteFrom('server_managers')
    .where('server_id', '=', serverId)
    .where('hostname', '=', hostname)
    .where('port', '=', port)
    .returning('machine_id')
    .executeTakeFirst()
  if (deleted && deleted.machine_id !== null) await deleteUnusedMachine(tx, deleted.machine_id)
}

function toManager(row: Selectable<Tables['server_managers']>): ServerManager {
  return {
    hostname: row.hostname,
    port: row.port,
    hostKey: row.host_key,
    machineId: row.machine_id,
    mayBePrivate: row.may_be_private === 1,
    hasSignedIn: row.signed_in_at !== null,
  }
}
