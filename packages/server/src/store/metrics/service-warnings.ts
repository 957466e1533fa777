// What the samples of the last ten minutes say about each service, for alerts.
import { type Kysely, sql } from 'kysely'
import { slotOf } from '../../domain/metrics/resolutions.ts'
import type { Tables } from '../tables/tables.ts'

const WINDOW_MS = 10 * 60_000
/** A pass may be late: so many samples of the window may be missing. */
const MOST_MISSING = 4

export type ServiceWarning = {
  readonly organizationId: number
  readonly project: string
  readonly environmentId: number
  readonly environment: string
  readonly service: string
  /** The lowest use of memory in the window, in percent of the limit; 0 without a limit, null with too few samples. */
  readonly memoryPercent: number | null
  /** Within the window. */
  readonly restarts: number
  readonly oomKills: number
}

/** Every service with samples in the last ten minutes, whether or not there is anything to warn about. */
export async function listServiceWarnings(db: Kysely<Tables>, now: number): Promise<readonly ServiceWarning[]> {
  const since = slotOf(30, now - WINDOW_MS)
  const { rows } = await sql<Row>`
    select p.organization_id, p.name as project, e.name as environment, s.environment_id, s.service,
      sum(s.restarts) as restarts, sum(s.oom_kills) as oom_kills, count(s.memory_bytes) as samples,
      min(case when s.memory_limit_bytes > 0 then 100.0 * s.memory_bytes / s.memory_limit_bytes else 0 end) as percent
    from service_samples s join environments e on e.id = s.environment_id join projects p on p.id = e.project_id
    where s.step = 30 and s.at >= ${since} and e.removed_at is null
    group by p.organization_id, p.name, e.name, s.environment_id, s.service order by s.environment_id, s.service`.execute(
    db,
  )
  return rows.map((row) => ({
    organizationId: row.organization_id,
    project: row.project,
    environmentId: row.environment_id,
    environment: row.environment,
    service: row.service,
    memoryPercent: percentOf(row),
    restarts: Number(row.restarts),
    oomKills: Number(row.oom_kills),
  }))
}

function percentOf({ samples, percent }: Row): number | null {
  const isWhole = Number(samples) >= WINDOW_MS / 30_000 - MOST_MISSING
  return isWhole && percent !== null ? Number(percent) : null
}

type Row = {
  readonly organization_id: number
  readonly project: string
  readonly environment: string
  readonly environment_id: number
  readonly service: string
  readonly restarts: number
  readonly oom_kills: number
  readonly samples: number
  readonly percent: number | null
}
