// Makes a new repository key; the old one is forgotten at once.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { updateAccessDue } from '../../store/connections/repository-access.ts'
import { updateProject } from '../../store/projects/projects.ts'
import { findProjectForUpdate } from './find-project-for-update.ts'
import { makeRepositoryKey } from './make-project-keys.ts'

type Regenerated = { readonly publicKey: string; readonly fingerprint: string }

export async function regenerateRepositoryKey(ctx: Context, actor: Actor, id: number): Promise<Regenerated> {
  return ctx.change(actor, async (tx) => {
    const project = await findProjectForUpdate(tx, actor, { id })
    demand(actor, 'administer', project.organizationId)
    const { publicKey, fingerprint, columns } = makeRepositoryKey(ctx, project.hookId)
    await updateProject(tx, id, { ...columns, updated_at: ctx.clock() })
    await updateAccessDue(tx, id)
    await tx.audit({
      organizationId: project.organizationId,
      action: 'project.repository_key_regenerated',
      target: { kind: 'project', id, name: project.name },
      fields: ['repository_key'],
    })
    return { publicKey, fingerprint }
  })
}
