// Servers with outdated revocation lists, and the current lists.
import { type Kysely, sql } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import { isSameAddress, listManagers, type ServerManager } from '../servers/managers.ts'
import { addressColumns, type ServerAddressRow, toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'
import { SLOW_CLOCK_MS } from './ssh-certificates.ts'

/** Servers that accept certificates of the organization and, themselves or a manager of theirs, lack revocations that still matter at that time. */
export async function listServersToSync(db: Kysely<Tables>, at: number): Promise<readonly ServerAddress[]> {
  const { rows } = await sql<ServerAddressRow>`
    select s.id, s.name, ${addressColumns} from ssh_access x
    join servers s on s.id = x.server_id
    join ssh_authorities a on a.organization_id = s.organization_id and a.public_key = x.authority_key
    where (x.revocations < a.revocations or exists (
        select 1 from server_managers m where m.server_id = s.id and m.revocations < a.revocations
          and (m.signed_in_at is not null or (m.hostname = s.hostname and m.port = s.port))))
      and exists (
      select 1 from ssh_certificates c where c.organization_id = a.organization_id
        and c.revoked_at is not null and c.valid_before > ${at - SLOW_CLOCK_MS})
    order by s.id`.execute(db)
  return rows.map(toServerAddress)
}

export type Revocations = {
  readonly authorityKey: string
  /** Revoked certificates that have not ended. */
  readonly serials: readonly number[]
  /** How often something was revoked, and how much of that the server knows of. */
  readonly count: number
  readonly installed: number
}

/** The counter is read before the list: a revocation in between only causes one more update. */
export async function findRevocations(
  db: Kysely<Tables>,
  serverId: number,
  at: number,
): Promise<Revocations | undefined> {
  const authority = await db
    .selectFrom('ssh_access as x')
    .innerJoin('servers as s', 's.id', 'x.server_id')
    .innerJoin('ssh_authorities as a', 'a.organization_id', 's.organization_id')
    .where('x.server_id', '=', serverId)
    .select(['a.organization_id', 'a.public_key', 'a.revocations as count', 'x.revocations as installed'])
    .executeTakeFirst()
  if (!authority) return undefined
  const rows = await db
    .selectFrom('ssh_certificates')
    .where('organization_id', '=', authority.organization_id)
    .where('revoked_at', 'is not', null)
    .where('valid_before', '>', at - SLOW_CLOCK_MS)
    .orderBy('serial')
    .select('serial')
    .execute()
  const serials = rows.map(({ serial }) => serial)
  return { authorityKey: authority.public_key, serials, count: authority.count, installed: authority.installed }
}

/** Of a Swarm: those that lack some, the one in use included. */
export async function listManagersToSync(
  db: Kysely<Tables>,
  serverId: number,
  count: number,
): Promise<readonly ServerManager[]> {
  const rows = await db
    .selectFrom('server_managers')
    .where('server_id', '=', serverId)
    .where('revocations', '<', count)
    .select(['hostname', 'port'])
    .execute()
  return (await listManagers(db, serverId)).filter((manager) => rows.some((row) => isSameAddress(row, manager)))
}

export async function updateSyncedManager(
  tx: Change,
  { serverId, hostname, port }: Pick<ServerManager, 'hostname' | 'port'> & { readonly serverId: number },
  count: number,
): Promise<void> {
  await tx
    .updateTable('server_managers')
    .set({ revocations: count })
    .where('server_id', '=', serverId)
    .where('hostname', '=', hostname)
    .where('port', '=', port)
    .where('revocations', '<', count)
    .execute()
}

export async function updateSyncedRevocations(tx: Change, serverId: number, count: number): Promise<void> {
  await tx
    .updateTable('ssh_access')
    .set({ revocations: count })
    .where('server_id', '=', serverId)
    .where('revocations', '<', count)
    .execute()
}
