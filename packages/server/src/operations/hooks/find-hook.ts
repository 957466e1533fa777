// Webhooks, for administrators of the project only: an address may hold a token of the receiver.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findHook as findRow, type Hook, listHooks as listRows } from '../../store/hooks/hooks.ts'
import { findProject } from '../../store/projects/projects.ts'
import { orNotFound } from '../or-not-found.ts'

export async function findHook(ctx: Context, actor: Actor, id: number): Promise<Hook> {
  const hook = orNotFound(await findRow(ctx.db, actor, id), 'webhook')
  demand(actor, 'administer', hook.organizationId)
  return hook
}

export async function listHooks(ctx: Context, actor: Actor, projectId: number): Promise<readonly Hook[]> {
  const project = orNotFound(await findProject(ctx.db, actor, projectId), 'project')
  demand(actor, 'administer', project.organizationId)
  return listRows(ctx.db, project.id)
}
