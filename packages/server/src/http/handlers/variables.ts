// Requests about the variables of environments and projects.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { changeVariables } from '../../operations/environments/change-variables.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { changeProjectVariables } from '../../operations/projects/change-project-variables.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { listVariables } from '../../store/environments/variables.ts'
import { findProjectVariablesVersion } from '../../store/projects/project-variables.ts'
import { findProject } from '../../store/projects/projects.ts'
import type { Handlers } from '../handler.ts'
import { presentProjectVariables, presentVariables } from '../present/variables.ts'

export const variableHandlers = {
  listVariables: async ({ ctx, actor, params }) => {
    const environment = orNotFound(await findEnvironment(ctx.db, actor, params.id), 'environment')
    return { body: await variablesOf(ctx, environment), headers: etag(environment.variablesVersion) }
  },
  changeVariables: async ({ ctx, actor, params, body, request }) => {
    const { environment, unmaskedKeys } = await changeVariables(ctx, actor, params.id, changeOf(body, request))
    const variables = await variablesOf(ctx, environment)
    return {
      body: { ...variables, unmasked_keys: [...unmaskedKeys] },
      headers: etag(environment.variablesVersion),
    }
  },
  listProjectVariables: async ({ ctx, actor, params }) => projectAnswer(ctx, actor, params.id),
  changeProjectVariables: async ({ ctx, actor, params, body, request }) => {
    const { unmaskedKeys } = await changeProjectVariables(ctx, actor, params.id, changeOf(body, request))
    const { body: variables, headers } = await projectAnswer(ctx, actor, params.id)
    return { body: { ...variables, unmasked_keys: [...unmaskedKeys] }, headers }
  },
} satisfies Handlers

/** Read after the version: the keys may be newer than it, and never older, so that no change is overwritten unseen. */
async function variablesOf(ctx: Context, environment: Environment) {
  const own = await listVariables(ctx.db, { kind: 'environment', id: environment.id })
  const inherited = environment.inheritsVariables
    ? await listVariables(ctx.db, { kind: 'project', id: environment.projectId })
    : []
  return presentVariables(environment, { own, inherited })
}

async function projectAnswer(ctx: Context, actor: Actor, id: number) {
  const project = orNotFound(await findProject(ctx.db, actor, id), 'project')
  const version = await findProjectVariablesVersion(ctx.db, id)
  const variables = await listVariables(ctx.db, { kind: 'project', id })
  return { body: presentProjectVariables(project.id, { version, variables }), headers: etag(version) }
}

const etag = (version: number) => ({ etag: `"v${version}"` })

type Body = {
  readonly set?: Readonly<Record<string, string>> | undefined
  readonly unset?: readonly string[] | undefined
  readonly build?: Readonly<Record<string, boolean>> | undefined
}
type Request = { readonly headers: { readonly 'if-match'?: string | undefined } }

const changeOf = ({ set, unset, build }: Body, { headers }: Request) => ({
  set: new Map(Object.entries(set ?? {})),
  unset: unset ?? [],
  build: new Map(Object.entries(build ?? {})),
  expectedVersions: versionsOf(headers['if-match']),
})

/** The versions that an `If-Match` names. `*` is any; a weak or unknown tag names none, so that nothing matches it. */
function versionsOf(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return header.split(',').flatMap((tag) => {
    const version = /^\s*"v(0|[1-9][0-9]{0,14})"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : Number(version)
  })
}
