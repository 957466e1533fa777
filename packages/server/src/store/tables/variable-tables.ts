// The tables of variables, as Kysely sees them.
export interface VariableTables {
  variables: VariableRow & { environment_id: number }
  project_variables: VariableRow & { project_id: number }
}

interface VariableRow {
  key: string
  value_sealed: string
  updated_at: number
  updated_by: number
}
