// Creates a manual environment, if the project's limit allows one more.
import type { NewEnvironment } from '@shipway/api/environments'
import type { BasicAuth } from '@shipway/api/values/basic-auth'
import type { Context } from '../../context.ts'
import { defaultDomain } from '../../domain/domain-rules.ts'
import { environmentPasswordContext } from '../../domain/encryption-context.ts'
import { LimitReached, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { violatedUnique } from '../../store/database.ts'
import { insertDomain } from '../../store/environments/domains.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import {
  findEnvironment,
  findEnvironmentUse,
  insertEnvironment,
  updateEnvironment,
} from '../../store/environments/environments.ts'
import { insertWebhookEvent } from '../../store/hooks/hook-messages.ts'
import type { Project } from '../../store/projects/projects.ts'
import { orNotFound } from '../or-not-found.ts'
import { findProjectForUpdate } from '../projects/find-project-for-update.ts'
import { refuseRecipe } from '../projects/refuse-recipe.ts'
import { chooseServer, refuseDomain, takenError } from './choose-server-and-domain.ts'

/** Throws if the project's limit allows no more. */
export async function demandSlot(db: Context['db'], actor: Actor, projectId: number): Promise<void> {
  const { used, limit } = orNotFound(await findEnvironmentUse(db, actor, projectId), 'project')
  if (used >= limit) throw LimitReached(used, limit)
}

export async function createEnvironment(
  ctx: Context,
  actor: Actor,
  { projectId, wanted }: { readonly projectId: number; readonly wanted: NewEnvironment },
): Promise<Environment> {
  try {
    return await ctx.change(actor, async (tx) => {
      const project = await findProjectForUpdate(tx, actor, { id: projectId })
      demand(actor, 'deploy', project.organizationId)
      refuseRecipe(actor, project, wanted.recipe ?? null)
      if (project.isDeleting) throw ProjectDeleting()
      await demandSlot(tx, actor, projectId)
      const id = await insert(ctx, tx, actor, { project, wanted })
      await insertWebhookEvent(tx, { event: 'environment.created', environmentId: id, at: ctx.clock() })
      await tx.audit({
        organizationId: project.organizationId,
        action: 'environment.created',
        target: { kind: 'environment', id, name: wanted.name },
      })
      return orNotFound(await findEnvironment(tx, actor, id), 'environment')
    })
  } catch (error) {
    throw takenError(violatedUnique(error)) ?? error
  }
}

async function insert(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { project, wanted }: { project: Project; wanted: NewEnvironment },
): Promise<number> {
  const domain = wanted.domain ?? defaultDomain(wanted.name, project)
  refuseDomain(ctx, project, { environment: { name: wanted.name, type: 'manual' }, domain })
  const id = await insertEnvironment(tx, {
    project_id: project.id,
    server_id: chooseServer(project, wanted.server_id),
    owner_id: actor.userId,
    name: wanted.name,
    title: wanted.title ?? '',
    type: 'manual',
    branch: wanted.branch,
    recipe: wanted.recipe ?? null,
    is_protected: wanted.protected ? 1 : 0,
    is_sticky: wanted.sticky ? 1 : 0,
    auto_deploy: wanted.auto_deploy ? 1 : 0,
    created_at: ctx.clock(),
    updated_at: ctx.clock(),
  })
  await insertDomain(tx, { environmentId: id, domain })
  if (wanted.basic_auth) await updateEnvironment(tx, id, sealEnvironmentAuth(ctx, id, wanted.basic_auth))
  return id
}

export function sealEnvironmentAuth(ctx: Context, id: number, basicAuth: BasicAuth | null) {
  return {
    basic_auth_username: basicAuth?.username ?? null,
    basic_auth_password_sealed: basicAuth && ctx.box.seal(basicAuth.password, environmentPasswordContext(id)),
  }
}
