// What the samples of the last ten minutes say about each service, for alerts.
import { type Kysely, sql } from 'kysely'
import { slotOf } from '../../domain/metrics/resolutions.ts'
import type { Tables } from '../tables/tables.ts'

const WINDOW_MS = 10 * 60_000
const FULL = 0.9
/** A pass may be late: so many samples of the window may be missing. */
const MOST_MISSING = 4

export type ServiceWarning = {
  readonly environmentId: number
  readonly service: string
  /** Memory was above nine tenths of its limit in every sample of the window. */
  readonly isMemoryFull: boolean
  /** Within the window. */
  readonly restarts: number
  readonly oomKills: number
}

/** Every service with samples in the last ten minutes, whether or not there is anything to warn about. */
export async function listServiceWarnings(db: Kysely<Tables>, now: number): Promise<readonly ServiceWarning[]> {
  const since = slotOf(30, now - WINDOW_MS)
  const { rows } = await sql<Row>`
    select environment_id, service, sum(restarts) as restarts, sum(oom_kills) as oom_kills, count(memory_bytes) as samples,
      sum(case when memory_bytes > memory_limit_bytes * ${sql.lit(FULL)} then 1 else 0 end) as full_samples
    from service_samples where step = 30 and at >= ${since}
    group by environment_id, service order by environment_id, service`.execute(db)
  return rows.map((row) => ({
    environmentId: row.environment_id,
    service: row.service,
    isMemoryFull:
      Number(row.samples) >= WINDOW_MS / 30_000 - MOST_MISSING && Number(row.samples) === Number(row.full_samples),
    restarts: Number(row.restarts),
    oomKills: Number(row.oom_kills),
  }))
}

type Row = {
  readonly environment_id: number
  readonly service: string
  readonly restarts: number
  readonly oom_kills: number
  readonly samples: number
  readonly full_samples: number
}
