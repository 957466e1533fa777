// The tables of alerts and of what they are made from, as Kysely sees them.
import type { AlertRule, AlertSeverity } from '@shipway/api/oversight/alerts'
import type { Generated } from 'kysely'

export interface AlertTables {
  server_sightings: ServerSightingsTable
  alerts: AlertsTable
  alert_rules: AlertRulesTable
  alert_silences: AlertSilencesTable
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
  id: Generated<number>
  rule: AlertRule
  target_id: number
  service: Generated<string>
  organization_id: number | null
  environment_id: number | null
  severity: AlertSeverity
  subject: string
  message: string
  page: string
  is_notified: 0 | 1
  opened_at: number
  resolved_at: number | null
}

interface AlertRulesTable {
  organization_id: number
  rule: AlertRule
  is_enabled: 0 | 1
  threshold: number | null
}

interface AlertSilencesTable {
  environment_id: number
  until: number | null
}

interface WatchesTable {
  environment_id: number
  user_id: number
  told_task_id: number
  is_failing: Generated<0 | 1>
}
