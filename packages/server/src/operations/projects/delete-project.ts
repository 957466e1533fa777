// Deletes a project: removes each environment from its server first, then the project with the last one.
import type { Context } from '../../context.ts'
import { ConfirmationRequired, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, demandAbandonment } from '../../domain/people/permissions.ts'
import { causeOf } from '../../domain/tasks/cause.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { listEnvironmentsOfProject } from '../../store/environments/environments.ts'
import { deleteProject as deleteRow, findProject, type Project, updateProject } from '../../store/projects/projects.ts'
import { removeEnvironment } from '../environments/remove-environment.ts'
import { findProjectForUpdate } from './find-project-for-update.ts'

type Deletion = { readonly id: number; readonly confirmProtected: boolean; readonly abandonServers?: boolean }

/**
 * Returns the project, now in deletion. A project in deletion can be abandoned where its environments could not be
 * removed; the others are removed as usual.
 */
export async function deleteProject(ctx: Context, actor: Actor, deletion: Deletion): Promise<Project> {
  const { id, confirmProtected, abandonServers = false } = deletion
  return ctx.change(actor, async (tx) => {
    const project = await findProjectForUpdate(tx, actor, { id })
    if (abandonServers) demandAbandonment(actor, project)
    else demand(actor, 'administer', project.organizationId)
    if (project.isDeleting && !abandonServers) throw ProjectDeleting()
    const environments = await listEnvironmentsOfProject(tx, id)
    if (!project.isDeleting) await begin(ctx, tx, { project, environments, confirmProtected })
    const removal = { by: actor, cause: causeOf(actor), abandon: abandonServers }
    for (const environment of environments) await removeEnvironment(ctx, tx, environment, removal)
    const left = await findProject(tx, actor, id)
    if (left?.environmentCount === 0) await deleteRow(tx, id)
    return { ...project, isDeleting: true }
  })
}

type DeletionStart = Pick<Deletion, 'confirmProtected'> & {
  readonly project: Project
  readonly environments: readonly Environment[]
}

async function begin(ctx: Context, tx: Change, beginning: DeletionStart): Promise<void> {
  const { project, environments, confirmProtected } = beginning
  const { id, name, organizationId } = project
  const kept = environments.filter(({ isProtected }) => isProtected)
  if (kept.length > 0 && !confirmProtected) {
    throw ConfirmationRequired(kept.map((environment) => ({ id: environment.id, name: environment.name })))
  }
  await updateProject(tx, id, { deleting_since: ctx.clock(), updated_at: ctx.clock() })
  await tx.audit({ organizationId, action: 'project.deleted', target: { kind: 'project', id, name } })
}
