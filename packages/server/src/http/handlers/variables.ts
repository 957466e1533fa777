// Requests about the variables of an environment.
import { changeVariables } from '../../operations/change-variables.ts'
import { required } from '../../operations/required.ts'
import type { Environment } from '../../store/environment-row.ts'
import { findEnvironment } from '../../store/environments.ts'
import { listVariables, type Variable } from '../../store/variables.ts'
import type { Handlers } from '../handler.ts'
import { presentVariables } from '../present/variables.ts'

export const variableHandlers = {
  listVariables: async ({ ctx, actor, params }) => {
    const environment = required(await findEnvironment(ctx.db, actor, params.id), 'environment')
    // After the version: the keys may be newer than it, and never older, so that no change is overwritten unseen.
    return answer(environment, await listVariables(ctx.db, environment.id))
  },
  changeVariables: async ({ ctx, actor, params, body, request }) => {
    const { environment, variables } = await changeVariables(ctx, actor, params.id, {
      set: new Map(Object.entries(body.set ?? {})),
      unset: body.unset ?? [],
      expectedVersions: versionsOf(request.headers['if-match']),
    })
    return answer(environment, variables)
  },
} satisfies Handlers

const answer = (environment: Environment, variables: readonly Variable[]) => ({
  body: presentVariables(environment, variables),
  headers: { etag: `"v${environment.variablesVersion}"` },
})

/** The versions that an `If-Match` names. `*` is any; a weak or unknown tag names none, so that nothing matches it. */
function versionsOf(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return header.split(',').flatMap((tag) => {
    const version = /^\s*"v(0|[1-9][0-9]{0,14})"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : Number(version)
  })
}
