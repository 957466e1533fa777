// Sets and unsets the variables that all environments of a project inherit: all that is asked, or nothing.
import type { Context } from '../../context.ts'
import { PreconditionFailed, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findProjectVariablesVersion, updateProjectVariablesVersion } from '../../store/projects/project-variables.ts'
import type { Project } from '../../store/projects/projects.ts'
import { audit } from '../audit.ts'
import type { Change } from '../environments/change-variables.ts'
import { type WrittenVariables, writeVariables } from '../environments/write-variables.ts'
import { holdProject } from './hold-project.ts'

type Outcome = WrittenVariables & { readonly project: Project }

export async function changeProjectVariables(ctx: Context, actor: Actor, id: number, change: Change): Promise<Outcome> {
  return ctx.db.transaction().execute(async (db) => {
    const project = await holdProject(db, actor, { id })
    demand(actor, 'administer', project.organizationId)
    if (project.isDeleting) throw ProjectDeleting()
    const version = await findProjectVariablesVersion(db, id)
    if (change.expectedVersions?.includes(version) === false) throw PreconditionFailed()
    const written = await writeVariables(ctx, db, actor, {
      ...change,
      owner: { kind: 'project', id },
      recipe: 'manual',
    })
    if (written.changedKeys.length > 0) {
      await updateProjectVariablesVersion(db, id, ctx.clock())
      await audit(ctx, db, actor, {
        organizationId: project.organizationId,
        action: 'project.variables_changed',
        target: { kind: 'project', id, name: project.name },
        fields: written.changedKeys,
      })
    }
    return { ...written, project }
  })
}
