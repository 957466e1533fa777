// Sets and unsets the variables that all environments of a project inherit: all of them or none.
import { STRICTEST_RECIPE } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../context.ts'
import { PreconditionFailed, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findProjectVariablesVersion, updateProjectVariablesVersion } from '../../store/projects/project-variables.ts'
import type { Project } from '../../store/projects/projects.ts'
import type { ConditionalChanges } from '../environments/change-variables.ts'
import { type WrittenVariables, writeVariables } from '../environments/write-variables.ts'
import { findProjectForUpdate } from './find-project-for-update.ts'

type ChangedProjectVariables = WrittenVariables & { readonly project: Project }

export async function changeProjectVariables(
  ctx: Context,
  actor: Actor,
  id: number,
  changes: ConditionalChanges,
): Promise<ChangedProjectVariables> {
  return ctx.change(actor, async (tx) => {
    const project = await findProjectForUpdate(tx, actor, { id })
    demand(actor, 'administer', project.organizationId)
    if (project.isDeleting) throw ProjectDeleting()
    const version = await findProjectVariablesVersion(tx, id)
    if (changes.expectedVersions?.includes(version) === false) throw PreconditionFailed()
    const written = await writeVariables(ctx, tx, actor, {
      ...changes,
      owner: { kind: 'project', id },
      recipe: STRICTEST_RECIPE,
    })
    if (written.changedKeys.length > 0) {
      await updateProjectVariablesVersion(tx, id, ctx.clock())
      await tx.audit({
        organizationId: project.organizationId,
        action: 'project.variables_changed',
        target: { kind: 'project', id, name: project.name },
        fields: written.changedKeys,
      })
    }
    return { ...written, project }
  })
}
