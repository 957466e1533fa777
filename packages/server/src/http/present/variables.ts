// Variables as JSON: keys, never values.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import { SYSTEM_KEYS, VARIABLES_CHANGED_HINT } from '@shipway/api/variables'
import { haveVariablesChanged } from '../../domain/variables.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import type { Variable } from '../../store/environments/variables.ts'
import { presentTime } from './time.ts'

type Effective = { readonly own: readonly Variable[]; readonly inherited: readonly Variable[] }

/** What the environment gets: its own, and those of the project that it does not override. */
export function presentVariables(
  environment: Environment,
  { own, inherited }: Effective,
): RouteAnswer<Routes['listVariables']> {
  const haveChanged = haveVariablesChanged(environment.variablesVersion, environment.tasks.variablesVersion)
  const ownKeys = new Set(own.map(({ key }) => key))
  const variables = [
    ...own.map((variable) => ({ ...presentVariable(variable), source: 'environment' as const })),
    ...inherited
      .filter(({ key }) => !ownKeys.has(key))
      .map((variable) => ({ ...presentVariable(variable), source: 'project' as const })),
  ]
  return {
    environment_id: environment.id,
    variables: variables.sort((one, other) => (one.key < other.key ? -1 : 1)),
    system_keys: [...SYSTEM_KEYS],
    variables_changed: haveChanged,
    version: environment.variablesVersion,
    hint: haveChanged ? VARIABLES_CHANGED_HINT : null,
  }
}

export function presentProjectVariables(
  projectId: number,
  { version, variables }: { readonly version: number; readonly variables: readonly Variable[] },
): RouteAnswer<Routes['listProjectVariables']> {
  return { project_id: projectId, variables: variables.map(presentVariable), version }
}

const presentVariable = ({ key, updatedAt, updatedBy, isForBuilds }: Variable) => ({
  key,
  updated_at: presentTime(updatedAt),
  updated_by: { id: updatedBy.id, name: updatedBy.name },
  build: isForBuilds,
})
