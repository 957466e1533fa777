// The tables of samples, as Kysely sees them.
import type { Generated } from 'kysely'
import type { Step } from '../../domain/metrics/resolutions.ts'

export interface MetricTables {
  service_samples: ServiceSamplesTable
  server_samples: ServerSamplesTable
}

interface ServiceSamplesTable {
  environment_id: number
  service: string
  step: Step
  at: number
  cpu: number | null
  memory_bytes: number | null
  memory_limit_bytes: number | null
  network_in: number | null
  network_out: number | null
  restarts: Generated<number>
  oom_kills: Generated<number>
}

interface ServerSamplesTable {
  server_id: number
  step: Step
  at: number
  cpu: number | null
  cores: number | null
  memory_bytes: number | null
  memory_total_bytes: number | null
  load: number | null
  disk_bytes: number | null
  disk_total_bytes: number | null
  counted_until: number | null
}
