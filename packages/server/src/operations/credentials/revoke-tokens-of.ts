// Revokes all personal tokens of a user, for platform administrators. Ending the user's sessions leaves them: machines hold them.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import { updateEveryPersonalTokenRevoked } from '../../store/credentials/personal-tokens.ts'
import { findAccount } from '../../store/people/users.ts'
import { orNotFound } from '../or-not-found.ts'

/** Returns how many there were. */
export async function revokeTokensOf(ctx: Context, actor: Actor, userId: number): Promise<number> {
  demandPlatformAdmin(actor)
  return ctx.change(actor, async (tx) => {
    const { id, name } = orNotFound(await findAccount(tx, userId), 'user')
    const revoked = await updateEveryPersonalTokenRevoked(tx, id, ctx.clock())
    await tx.audit({ organizationId: null, action: 'user.tokens_revoked', target: { kind: 'user', id, name } })
    return revoked
  })
}
