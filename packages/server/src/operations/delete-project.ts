// Deletes a project: each environment is removed from its server first, and the project goes with the last one.
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'
import { causeOf } from '../domain/cause.ts'
import { ConfirmationRequired, ProjectDeleting } from '../domain/errors.ts'
import { demand } from '../domain/permissions.ts'
import { listEnvironmentsOfProject } from '../store/environments.ts'
import { deleteProject as deleteRow, findProject, type Project, updateProject } from '../store/projects.ts'
import { audit } from './audit.ts'
import { holdProject } from './hold-project.ts'
import { removeEnvironment } from './remove-environment.ts'

type Deletion = { readonly id: number; readonly confirmProtected: boolean }

/** The project as it was, now on its way out. */
export async function deleteProject(ctx: Context, actor: Actor, { id, confirmProtected }: Deletion): Promise<Project> {
  const deleted = await ctx.db.transaction().execute(async (db) => {
    const project = await holdProject(db, actor, { id })
    demand(actor, 'administer', project.organizationId)
    if (project.isDeleting) throw ProjectDeleting()
    const environments = await listEnvironmentsOfProject(db, id)
    const kept = environments.filter(({ isProtected }) => isProtected)
    if (kept.length > 0 && !confirmProtected) {
      throw ConfirmationRequired(kept.map((environment) => ({ id: environment.id, name: environment.name })))
    }
    await updateProject(db, id, { deleting_since: ctx.clock(), updated_at: ctx.clock() })
    const removal = { by: actor, cause: causeOf(actor.credential) }
    for (const environment of environments) await removeEnvironment(ctx, db, environment, removal)
    await audit(ctx, db, actor, {
      organizationId: project.organizationId,
      action: 'project.deleted',
      target: { kind: 'project', id, name: project.name },
    })
    const left = await findProject(db, actor, id)
    if (left?.environmentCount === 0) await deleteRow(db, id)
    return { ...project, isDeleting: true }
  })
  ctx.bus.announce({ about: 'queue' })
  return deleted
}
