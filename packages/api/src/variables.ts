// Custom variables of environments and projects: keys come out, values only go in.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { Person } from './people.ts'
import { route } from './route.ts'
import { Id, Time } from './values/ids.ts'
import { VARIABLE_LIMITS, VariableKey, VariableValues } from './values/variable.ts'

export const SYSTEM_KEYS = [
  'SERVICE_DOMAIN',
  'SERVICE_ENV_IDENTIFIER',
  'SERVICE_ENV_TYPE',
  'SERVICE_ENV_BRANCH',
] as const

export const VARIABLES_CHANGED_HINT = 'Variables changed since the last deployment'

export const Variable = z.object({
  key: z.string(),
  updated_at: Time,
  updated_by: Person,
  build: z.boolean().describe('No secret: it is handed to builds, and gets into images'),
})
export type Variable = z.infer<typeof Variable>

/** Where the value comes from. A key of the project that the environment sets itself is the environment's. */
const Source = z.enum(['environment', 'project'])

export const Variables = z.object({
  environment_id: Id,
  variables: z.array(Variable.extend({ source: Source })),
  system_keys: z.array(z.enum(SYSTEM_KEYS)),
  variables_changed: z.boolean(),
  version: z.int(),
  hint: z.string().nullable(),
})
export type Variables = z.infer<typeof Variables>

export const ProjectVariables = z.object({ project_id: Id, variables: z.array(Variable), version: z.int() })
export type ProjectVariables = z.infer<typeof ProjectVariables>

/** Only in the answer to the change: the keys that were set with a value too short to be hidden in output. */
const Unmasked = { unmasked_keys: z.array(z.string()) }

/** Whether each of these keys is handed to builds. */
const BuildMarks = z
  .record(VariableKey, z.boolean())
  .refine((marks) => Object.keys(marks).length <= VARIABLE_LIMITS.keys, 'There are not so many variables')

export const VariableChanges = z.strictObject({
  set: VariableValues.optional(),
  unset: z.array(VariableKey).max(VARIABLE_LIMITS.keys).optional(),
  build: BuildMarks.optional(),
})
export type VariableChanges = z.infer<typeof VariableChanges>

const rules =
  'An empty string is a value. ' +
  '`build` marks keys that are no secrets, as in `{"NODE_VERSION": true}`: builds get them, and they get into images; `false` takes the mark away. ' +
  '`unmasked_keys` names the keys just set whose value is too short to be hidden in output.'

export const variableRoutes = {
  listVariables: route({
    method: 'GET',
    path: '/api/environments/{id}/variables',
    summary: 'Variable keys of an environment, never values',
    description: 'Those of the project are among them, unless the environment sets the same key.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Variables,
    versioned: true,
  }),
  changeVariables: route({
    method: 'PATCH',
    path: '/api/environments/{id}/variables',
    summary: 'Set or unset custom variables, all or nothing',
    description: rules,
    permission: 'deploy',
    scope: 'vars:write',
    params: IdParams,
    body: VariableChanges,
    success: 200,
    answer: Variables.extend(Unmasked),
    errors: ['environment_protected', 'environment_removing', 'precondition_failed'],
    idempotent: true,
    versioned: true,
  }),
  listProjectVariables: route({
    method: 'GET',
    path: '/api/projects/{id}/variables',
    summary: 'Variable keys that all environments of a project inherit, never values',
    description: 'Each with who set it last, and whether builds get it.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: ProjectVariables,
    versioned: true,
  }),
  changeProjectVariables: route({
    method: 'PATCH',
    path: '/api/projects/{id}/variables',
    summary: 'Set or unset variables that all environments of a project inherit, all or nothing',
    description: `An environment's own value comes first. Pull requests of forks get none. ${rules}`,
    permission: 'administer',
    scope: 'vars:write',
    params: IdParams,
    body: VariableChanges,
    success: 200,
    answer: ProjectVariables.extend(Unmasked),
    errors: ['project_deleting', 'precondition_failed'],
    idempotent: true,
    versioned: true,
  }),
}
