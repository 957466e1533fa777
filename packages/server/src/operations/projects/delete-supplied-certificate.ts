// Takes back the certificate that was supplied for a project.
import type { Context } from '../../context.ts'
import { NotFound, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { deleteSuppliedCertificate as deleteRow } from '../../store/projects/certificates.ts'
import { audit } from '../audit.ts'
import { holdProject } from './hold-project.ts'

export async function deleteSuppliedCertificate(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    const project = await holdProject(db, actor, { id })
    demand(actor, 'administer', project.organizationId)
    if (project.isDeleting) throw ProjectDeleting()
    if (!(await deleteRow(db, id))) throw NotFound('certificate')
    await audit(ctx, db, actor, {
      organizationId: project.organizationId,
      action: 'project.certificate_deleted',
      target: { kind: 'project', id, name: project.name },
      fields: ['certificate', 'private_key'],
    })
  })
  ctx.bus.announce({ about: 'routes' })
}
