// Rows of server_samples: what was in use on a server. Pages read them again by themselves, so there are no change events.
import { type Kysely, sql } from 'kysely'
import { type Slots, slotOf } from '../../domain/metrics/resolutions.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { repeatableTransaction } from '../repeatable-transaction.ts'
import { addressColumns, type ServerAddressRow, toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'

/** Null stands for what was not measured. */
export type ServerSample = {
  /** Cores in use. */
  readonly cpu: number | null
  readonly cores: number | null
  readonly memoryBytes: number | null
  readonly memoryTotalBytes: number | null
  readonly load: number | null
  readonly diskBytes: number | null
  readonly diskTotalBytes: number | null
  /** Until when OOM kills are counted, by the server's own clock. */
  readonly countedUntil: number | null
}

/** In one slot, over all servers. */
const MOST_SERVERS = 500

/** Those that answered last: each other one would cost an ssh process in every slot. */
export async function listServersToMeasure(db: Kysely<Tables>): Promise<readonly ServerAddress[]> {
  const { rows } = await sql<ServerAddressRow>`
    select s.id, s.name, ${addressColumns} from servers s
    where s.connection = 'local' or exists (
      select 1 from server_sightings g
      where g.server_id = s.id and g.seen_at is not null and g.out_of_reach_since is null)
    order by s.id limit ${sql.lit(MOST_SERVERS)}`.execute(db)
  return rows.map(toServerAddress)
}

type LastSample = { readonly at: number; readonly countedUntil: number | null }

export async function findLastSample(db: Kysely<Tables>, serverId: number): Promise<LastSample | undefined> {
  const row = await db
    .selectFrom('server_samples')
    .where('server_id', '=', serverId)
    .where('step', '=', 30)
    .orderBy('at', 'desc')
    .limit(1)
    .select(['at', 'counted_until'])
    .executeTakeFirst()
  return row && { at: row.at, countedUntil: row.counted_until }
}

/** False where the slot has a sample already, by another process, or the server is gone. Not flushed: a lost sample is a gap. */
export async function insertServerSample(
  db: Kysely<Tables>,
  { serverId, at }: { readonly serverId: number; readonly at: number },
  sample: ServerSample,
): Promise<boolean> {
  const { cpu, cores, memoryBytes, memoryTotalBytes, load, diskBytes, diskTotalBytes, countedUntil } = sample
  const numbers = [
    ...[thousandths(cpu), cores, memoryBytes, memoryTotalBytes],
    ...[load === null ? null : Math.round(load * 100), diskBytes, diskTotalBytes, countedUntil],
  ].map((value) => sql`cast(${value} as bigint)`)
  const { rows } = await repeatableTransaction(db).execute((tx) =>
    sql`
      insert into server_samples (server_id, step, at, cpu, cores, memory_bytes, memory_total_bytes, load, disk_bytes,
        disk_total_bytes, counted_until)
      select id, 30, cast(${slotOf(30, at)} as bigint), ${sql.join(numbers)} from servers where id = ${serverId}
      on conflict do nothing returning at`.execute(tx),
  )
  return rows.length > 0
}

export const thousandths = (cores: number | null): number | null => (cores === null ? null : Math.round(cores * 1000))
export const fromThousandths = (cpu: number | null): number | null => (cpu === null ? null : cpu / 1000)

export type StoredServerSample = Omit<ServerSample, 'countedUntil'> & { readonly at: number }

/** Oldest first. The caller has found the server. */
export async function listServerSamples(
  db: Kysely<Tables>,
  serverId: number,
  { step, from, count }: Slots,
): Promise<readonly StoredServerSample[]> {
  const rows = await db
    .selectFrom('server_samples')
    .where('server_id', '=', serverId)
    .where('step', '=', step)
    .where('at', '>=', from)
    .orderBy('at')
    .limit(count)
    .selectAll()
    .execute()
  return rows.map((row) => ({
    at: row.at,
    cpu: fromThousandths(row.cpu),
    cores: row.cores,
    memoryBytes: row.memory_bytes,
    memoryTotalBytes: row.memory_total_bytes,
    load: row.load === null ? null : row.load / 100,
    diskBytes: row.disk_bytes,
    diskTotalBytes: row.disk_total_bytes,
  }))
}
