// Links the provider's identity to the caller's account.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { IdentityTaken, LinkedAlready } from '../../domain/people/sign-in-errors.ts'
import type { ProviderIdentity } from '../../sign-in-provider/sign-in-provider.ts'
import { insertIdentity } from '../../store/credentials/identities.ts'
import { violatedUnique } from '../../store/database.ts'

export async function keepIdentity(ctx: Context, actor: Actor, identity: ProviderIdentity): Promise<void> {
  const { userId, name } = actor
  try {
    await ctx.change(actor, async (tx) => {
      await insertIdentity(tx, identityRow(ctx, userId, identity))
      await tx.audit({ organizationId: null, action: 'identity.linked', target: { kind: 'user', id: userId, name } })
    })
  } catch (error) {
    const violated = violatedUnique(error)
    if (violated === 'identities(issuer, subject)') throw IdentityTaken()
    if (violated === 'identities(user_id, issuer)') throw LinkedAlready()
    throw error
  }
}

export const identityRow = (
  { clock }: Context,
  userId: number,
  { issuer, subject, verifiedEmail }: ProviderIdentity,
) => ({
  user_id: userId,
  issuer,
  subject,
  email: verifiedEmail ?? null,
  created_at: clock(),
  last_used_at: null,
})
