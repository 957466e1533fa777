// Rows of server_sightings: when each server last responded. Pages show checks instead, so there are no change events.
import { type Kysely, sql } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import { addressColumns, type ServerAddressRow, toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'

const SEEN_AGAIN_MS = 60 * 60_000

const findHealth = (db: Kysely<Tables>, serverId: number) =>
  db.selectFrom('server_sightings').where('server_id', '=', serverId).selectAll().executeTakeFirst()

type ServerContact = { readonly serverId: number; readonly at: number }

/** Writes only if something changed: every write invalidates cached responses. */
export async function updateServerSeen(db: Kysely<Tables>, { serverId, at }: ServerContact): Promise<void> {
  const known = await findHealth(db, serverId)
  if (known && known.out_of_reach_since === null && at - (known.seen_at ?? 0) < SEEN_AGAIN_MS) return
  await sql`
    insert into server_sightings (server_id, seen_at) select id, cast(${at} as bigint) from servers where id = ${serverId}
    on conflict (server_id) do update set seen_at = excluded.seen_at, out_of_reach_since = null`.execute(db)
}

/** Keeps the time of the first failure. A server that never responded is still being set up and raises no alert. */
export async function updateServerOutOfReach(db: Kysely<Tables>, { serverId, at }: ServerContact): Promise<void> {
  await sql`
    update server_sightings set out_of_reach_since = cast(${at} as bigint)
    where server_id = ${serverId} and out_of_reach_since is null`.execute(db)
}

type DiskMeasurement = { readonly serverId: number; readonly freeBytes: number; readonly totalBytes: number }

/** A hundredth more or less is the same. */
export async function updateServerDisk(
  db: Kysely<Tables>,
  { serverId, freeBytes, totalBytes }: DiskMeasurement,
): Promise<void> {
  const known = await findHealth(db, serverId)
  const isSame = known?.disk_total_bytes === totalBytes && known.disk_free_bytes !== null
  if (isSame && Math.abs((known.disk_free_bytes ?? 0) - freeBytes) < totalBytes / 100) return
  await sql`
    insert into server_sightings (server_id, disk_free_bytes, disk_total_bytes)
    select id, cast(${freeBytes} as bigint), cast(${totalBytes} as bigint) from servers where id = ${serverId}
    on conflict (server_id) do update
      set disk_free_bytes = excluded.disk_free_bytes, disk_total_bytes = excluded.disk_total_bytes`.execute(db)
}

/** Those that the platform has signed in to once. */
export async function listServersToWatch(db: Kysely<Tables>): Promise<readonly ServerAddress[]> {
  const { rows } = await sql<ServerAddressRow>`
    select s.id, s.name, ${addressColumns} from servers s
    where s.signed_in_at is not null or s.connection = 'local' order by s.id`.execute(db)
  return rows.map(toServerAddress)
}

export type ServerHealth = {
  readonly id: number
  readonly name: string
  readonly organizationId: number
  readonly outOfReachSince: number | null
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null
}

export async function listServerHealth(db: Kysely<Tables>): Promise<readonly ServerHealth[]> {
  const rows = await db
    .selectFrom('server_sightings as g')
    .innerJoin('servers as s', 's.id', 'g.server_id')
    .select(['s.id', 's.name', 's.organization_id', 'g.out_of_reach_since', 'g.disk_free_bytes', 'g.disk_total_bytes'])
    .execute()
  return rows.map(({ disk_free_bytes: freeBytes, disk_total_bytes: totalBytes, ...row }) => ({
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    outOfReachSince: row.out_of_reach_since,
    disk: freeBytes === null || totalBytes === null ? null : { freeBytes, totalBytes },
  }))
}

/** They were of another machine. */
export async function deleteServerHealth(tx: Change, serverId: number): Promise<void> {
  await tx.deleteFrom('server_sightings').where('server_id', '=', serverId).execute()
}
