// The tables of alerts and of what they are made from, as Kysely sees them.
import type { Generated } from 'kysely'

export interface AlertTables {
  server_sightings: ServerSightingsTable
  alerts: AlertsTable
  watches: WatchesTable
}

interface ServerSightingsTable {
  server_id: number
  seen_at: number | null
  out_of_reach_since: number | null
  disk_free_bytes: number | null
  disk_total_bytes: number | null
}

interface AlertsTable {
  kind: 'server_unreachable' | 'disk_low' | 'certificate_ending' | 'backup_failed'
  target_id: number
  organization_id: number | null
  since: number
}

interface WatchesTable {
  environment_id: number
  user_id: number
  told_task_id: number
  is_failing: Generated<0 | 1>
}
