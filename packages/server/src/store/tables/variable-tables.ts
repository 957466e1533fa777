// The tables of variables, as Kysely sees them.
import type { Generated } from 'kysely'

export interface VariableTables {
  variables: VariableRow & { environment_id: number }
  project_variables: VariableRow & { project_id: number }
  handed_values: TaskSecretRow
}

interface VariableRow {
  key: string
  value_sealed: string
  updated_at: number
  updated_by: number
  is_for_builds: Generated<0 | 1>
}

interface TaskSecretRow {
  id: Generated<number>
  environment_id: number
  owner: 'environment' | 'project'
  owner_id: number
  key: string
  value_sealed: string
  first_task_id: number
  last_task_id: number
}
