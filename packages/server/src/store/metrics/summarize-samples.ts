// Summarizes samples in longer slots, and deletes those whose time is over.
import { type Kysely, sql } from 'kysely'
import { RESOLUTIONS, type Step, slotOf } from '../../domain/metrics/resolutions.ts'
import { repeatableTransaction } from '../repeatable-transaction.ts'
import type { Tables } from '../tables/tables.ts'

/** May be repeated: a slot is summarized again until it is over, and once more after that. */
export async function summarizeSamples(db: Kysely<Tables>, now: number): Promise<void> {
  for (const { from, into } of SUMMARIES) {
    const length = into * 1000
    const since = slotOf(into, now) - length
    const slot = sql`(at / ${sql.lit(length)}) * ${sql.lit(length)}`
    await repeatableTransaction(db).execute((tx) =>
      sql`
        insert into service_samples (environment_id, service, step, at, cpu, memory_bytes, memory_limit_bytes, network_in, network_out,
          restarts, oom_kills)
        select environment_id, service, ${sql.lit(into)}, ${slot}, ${mean('cpu')}, max(memory_bytes), max(memory_limit_bytes),
          ${mean('network_in')}, ${mean('network_out')}, sum(restarts), sum(oom_kills)
        from service_samples where step = ${sql.lit(from)} and at >= ${since} group by environment_id, service, ${slot}
        on conflict (step, at, environment_id, service) do update set ${replaced(SERVICE_COLUMNS)}`.execute(tx),
    )
    await repeatableTransaction(db).execute((tx) =>
      sql`
        insert into server_samples (server_id, step, at, cpu, cores, memory_bytes, memory_total_bytes, load, disk_bytes, disk_total_bytes)
        select server_id, ${sql.lit(into)}, ${slot}, ${mean('cpu')}, max(cores), max(memory_bytes), max(memory_total_bytes),
          ${mean('load')}, max(disk_bytes), max(disk_total_bytes)
        from server_samples where step = ${sql.lit(from)} and at >= ${since} group by server_id, ${slot}
        on conflict (step, at, server_id) do update set ${replaced(SERVER_COLUMNS)}`.execute(tx),
    )
  }
}

const SUMMARIES: readonly { readonly from: Step; readonly into: Step }[] = [
  { from: 30, into: 300 },
  { from: 300, into: 3600 },
]

const MEASURED = ['cpu', 'memory_bytes'] as const
const SERVICE_COLUMNS = [...MEASURED, 'memory_limit_bytes', 'network_in', 'network_out', 'restarts', 'oom_kills']
const SERVER_COLUMNS = [...MEASURED, 'cores', 'memory_total_bytes', 'load', 'disk_bytes', 'disk_total_bytes']

const mean = (column: string) => sql`cast(avg(${sql.ref(column)}) as bigint)`
const replaced = (columns: readonly string[]) =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`))

/** Some at once, so that other writes get their turn in between. */
const DELETED_AT_ONCE = 2_000

/** False if none is left to delete. */
export async function deleteOldSamples(db: Kysely<Tables>, now: number): Promise<boolean> {
  let isMore = false
  for (const { step, keptSeconds } of RESOLUTIONS) {
    const before = slotOf(step, now) - keptSeconds * 1000
    for (const [table, key] of TABLES) {
      const columns = sql.join(key.map((column) => sql.ref(column)))
      const old = sql`select ${columns} from ${sql.table(table)} where step = ${sql.lit(step)} and at <= ${before}
        order by at limit ${sql.lit(DELETED_AT_ONCE)}`
      const { rows } = await repeatableTransaction(db).execute((tx) =>
        sql`delete from ${sql.table(table)} where (${columns}) in (${old}) returning 1 as one`.execute(tx),
      )
      isMore ||= rows.length === DELETED_AT_ONCE
    }
  }
  return isMore
}

const TABLES = [
  ['service_samples', ['step', 'at', 'environment_id', 'service']],
  ['server_samples', ['step', 'at', 'server_id']],
] as const
