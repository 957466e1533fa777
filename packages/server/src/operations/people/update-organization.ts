// Renames an organization.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type Organization, updateOrganization as updateRow } from '../../store/people/organizations.ts'
import { holdOrganization } from './hold-organization.ts'

export async function updateOrganization(ctx: Context, actor: Actor, id: number, name: string): Promise<Organization> {
  return ctx.change(actor, async (tx) => {
    const { organization, actor: current } = await holdOrganization(tx, actor, id)
    demand(current, 'own_organization', id)
    await updateRow(tx, id, { name })
    await tx.audit({
      organizationId: id,
      action: 'organization.updated',
      target: { kind: 'organization', id, name: organization.name },
      fields: ['name'],
    })
    return { ...organization, name }
  })
}
