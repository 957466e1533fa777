// The variables of an environment as JSON: keys, never values.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import { SYSTEM_KEYS, VARIABLES_CHANGED_HINT } from '@shipway/api/variables'
import { haveVariablesChanged } from '../../domain/variables.ts'
import type { Environment } from '../../store/environment-row.ts'
import type { Variable } from '../../store/variables.ts'
import { presentTime } from './time.ts'

export function presentVariables(
  environment: Environment,
  variables: readonly Variable[],
): RouteAnswer<Routes['listVariables']> {
  const haveChanged = haveVariablesChanged(environment.variablesVersion, environment.tasks.variablesVersion)
  return {
    environment_id: environment.id,
    variables: variables.map(({ key, updatedAt, updatedBy }) => ({
      key,
      updated_at: presentTime(updatedAt),
      updated_by: { id: updatedBy.id, name: updatedBy.name },
    })),
    system_keys: [...SYSTEM_KEYS],
    variables_changed: haveChanged,
    version: environment.variablesVersion,
    hint: haveChanged ? VARIABLES_CHANGED_HINT : null,
  }
}
