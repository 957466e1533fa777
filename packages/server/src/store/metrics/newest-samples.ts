// The newest sample of every service, with the names of its project and environment.
import { type Kysely, sql } from 'kysely'
import { slotOf } from '../../domain/metrics/resolutions.ts'
import type { Tables } from '../tables/tables.ts'
import { fromThousandths } from './server-samples.ts'

export type NewestSample = {
  readonly project: string
  readonly environment: string
  readonly service: string
  readonly cpu: number | null
  readonly memoryBytes: number | null
  readonly memoryLimitBytes: number | null
  readonly networkIn: number | null
  readonly networkOut: number | null
}

/** The last slot that is over: every pass of it has ended. */
export async function listNewestSamples(db: Kysely<Tables>, now: number): Promise<readonly NewestSample[]> {
  const { rows } = await sql<Row>`
    select p.name as project, e.name as environment, s.service, s.cpu, s.memory_bytes, s.memory_limit_bytes, s.network_in, s.network_out
    from service_samples s join environments e on e.id = s.environment_id join projects p on p.id = e.project_id
    where s.step = 30 and s.at = ${slotOf(30, now) - 30_000} order by p.id, e.id, s.service`.execute(db)
  return rows.map((row) => ({
    project: row.project,
    environment: row.environment,
    service: row.service,
    cpu: fromThousandths(row.cpu),
    memoryBytes: row.memory_bytes,
    memoryLimitBytes: row.memory_limit_bytes,
    networkIn: row.network_in,
    networkOut: row.network_out,
  }))
}

type Row = {
  readonly project: string
  readonly environment: string
  readonly service: string
  readonly cpu: number | null
  readonly memory_bytes: number | null
  readonly memory_limit_bytes: number | null
  readonly network_in: number | null
  readonly network_out: number | null
}
