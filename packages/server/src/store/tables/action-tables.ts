// The tables of actions and of the files that their runs leave, as Kysely sees them.
import type { Generated } from 'kysely'

export interface ActionTables {
  environment_actions: EnvironmentActionsTable
  schedule_moments: ScheduleMomentsTable
  artifacts: ArtifactsTable
}

interface EnvironmentActionsTable {
  environment_id: number
  name: string
  place: number
  run: string | null
  service: string | null
  main_service: string | null
  artifact_paths: string
  timeout_ms: number | null
  disabled_reason: string | null
  task_id: number
  schedule: Generated<string | null>
  time_zone: Generated<string | null>
  schedule_environments: Generated<string | null>
  catches_up: Generated<0 | 1>
  next_run_at: Generated<number | null>
}

interface ScheduleMomentsTable {
  environment_id: number
  action: string
  due_at: number
  outcome: 'started' | 'skipped' | 'missed'
  reason: string | null
  task_id: Generated<number | null>
}

interface ArtifactsTable {
  id: Generated<number>
  task_id: number
  number: number
  path: string
  size: number
  stamp: string
  created_at: number
  expires_at: number
}
