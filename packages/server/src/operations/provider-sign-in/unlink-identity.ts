// Unlinks the provider from the caller's account, unless it is the only way to sign in.
import type { Context } from '../../context.ts'
import { NotFound } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { LastWayIn } from '../../domain/people/sign-in-errors.ts'
import { deleteIdentityOf } from '../../store/credentials/identities.ts'
import { findAccount, lockUser } from '../../store/people/users.ts'
import { orNotFound } from '../or-not-found.ts'
import { demandProvider } from './begin-provider-request.ts'

export async function unlinkIdentity(ctx: Context, actor: Actor): Promise<void> {
  const { issuer } = demandProvider(ctx)
  const { userId, name } = actor
  await ctx.change(actor, async (tx) => {
    await lockUser(tx, userId)
    const account = orNotFound(await findAccount(tx, userId), 'user')
    if (account.passwordHash === undefined) throw LastWayIn()
    if (!(await deleteIdentityOf(tx, userId, issuer))) throw NotFound('identity')
    await tx.audit({ organizationId: null, action: 'identity.unlinked', target: { kind: 'user', id: userId, name } })
  })
}
