// The tables of actions and of the files that their runs leave, as Kysely sees them.
import type { Generated } from 'kysely'

export interface ActionTables {
  environment_actions: EnvironmentActionsTable
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
