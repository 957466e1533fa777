// Settings of the installation that a platform administrator changes at run time: whether every user needs two-factor codes.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import {
  findPlatformTwoFactor,
  listUsersWithoutTwoFactor,
  updatePlatformTwoFactor,
} from '../../store/people/two-factor.ts'
import { demandOwnTwoFactor } from '../second-factor/demand-own-two-factor.ts'
import { endLockedAccess, notifyOfAccess } from '../second-factor/end-locked-access.ts'

export async function updatePlatform(
  ctx: Context,
  actor: Actor,
  { requiresTwoFactor }: { readonly requiresTwoFactor: boolean },
): Promise<void> {
  demandPlatformAdmin(actor)
  await ctx.change(actor, async (tx) => {
    if (requiresTwoFactor === (await findPlatformTwoFactor(tx))) return
    if (requiresTwoFactor) await demandOwnTwoFactor(tx, actor)
    await updatePlatformTwoFactor(tx, requiresTwoFactor)
    await endLockedAccess(tx, {}, ctx.clock())
    for (const userId of await listUsersWithoutTwoFactor(tx)) notifyOfAccess(tx, userId)
    await tx.audit({
      organizationId: null,
      action: 'platform.updated',
      target: { kind: 'platform', id: null, name: '' },
      fields: ['require_two_factor'],
    })
  })
}
