// Deletes the certificate that was supplied for a project.
import type { Context } from '../../context.ts'
import { NotFound, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { deleteSuppliedCertificate as deleteRow } from '../../store/projects/certificates.ts'
import { findProjectForUpdate } from './find-project-for-update.ts'

export async function deleteSuppliedCertificate(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const project = await findProjectForUpdate(tx, actor, { id })
    demand(actor, 'administer', project.organizationId)
    if (project.isDeleting) throw ProjectDeleting()
    if (!(await deleteRow(tx, id))) throw NotFound('certificate')
    await tx.audit({
      organizationId: project.organizationId,
      action: 'project.certificate_deleted',
      target: { kind: 'project', id, name: project.name },
      fields: ['certificate', 'private_key'],
    })
  })
}
