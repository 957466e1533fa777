// Deletes an empty organization.
import type { Context } from '../../context.ts'
import { InUse } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { deleteOrganization as deleteRow, findUseOfOrganization } from '../../store/people/organizations.ts'
import { findOrganizationForUpdate } from './find-organization-for-update.ts'

export async function deleteOrganization(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const { organization, actor: current } = await findOrganizationForUpdate(tx, actor, id)
    demand(current, 'own_organization', id)
    const { projects, servers } = await findUseOfOrganization(tx, id)
    if (projects > 0 || servers > 0) {
      throw InUse(`This organization has projects (${projects}) or servers (${servers}). Delete them first`)
    }
    await deleteRow(tx, id)
    // The organization's log is deleted with it, so the platform's log gets this event.
    await tx.audit({
      organizationId: null,
      action: 'organization.deleted',
      target: { kind: 'organization', id, name: organization.name },
    })
  })
}
