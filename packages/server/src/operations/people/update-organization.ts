// Renames an organization, or requires two-factor codes of its members.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type Organization, updateOrganization as updateRow } from '../../store/people/organizations.ts'
import { listMembersWithoutTwoFactor } from '../../store/people/two-factor.ts'
import { demandOwnTwoFactor } from '../second-factor/demand-own-two-factor.ts'
import { endLockedAccess, notifyOfAccess } from '../second-factor/end-locked-access.ts'
import { findOrganizationForUpdate } from './find-organization-for-update.ts'

type OrganizationChanges = { readonly name?: string | undefined; readonly requiresTwoFactor?: boolean | undefined }

export async function updateOrganization(
  ctx: Context,
  actor: Actor,
  { id, ...changes }: OrganizationChanges & { readonly id: number },
): Promise<Organization> {
  return ctx.change(actor, async (tx) => {
    const { organization, actor: current } = await findOrganizationForUpdate(tx, actor, id)
    demand(current, 'own_organization', id)
    const { name = organization.name, requiresTwoFactor = organization.requiresTwoFactor } = changes
    const isSwitched = requiresTwoFactor !== organization.requiresTwoFactor
    if (isSwitched && requiresTwoFactor) await demandOwnTwoFactor(tx, actor)
    await updateRow(tx, id, { name, require_two_factor: requiresTwoFactor ? 1 : 0 })
    if (isSwitched) {
      await endLockedAccess(tx, { organizationId: id }, ctx.clock())
      for (const userId of await listMembersWithoutTwoFactor(tx, id)) notifyOfAccess(tx, userId)
    }
    await tx.audit({
      organizationId: id,
      action: 'organization.updated',
      target: { kind: 'organization', id, name: organization.name },
      fields: [...(changes.name === undefined ? [] : ['name']), ...(isSwitched ? ['require_two_factor'] : [])],
    })
    return { ...organization, name, requiresTwoFactor }
  })
}
