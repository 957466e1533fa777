// Begins to link the provider to the caller's account. A linked identity signs in without password and code, so both are
// asked for.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { LinkedAlready } from '../../domain/people/sign-in-errors.ts'
import { findIdentityOf } from '../../store/credentials/identities.ts'
import { changeWithPassword, type PasswordProof } from '../second-factor/change-with-password.ts'
import { type BegunRequest, beginProviderRequest, demandProvider } from './begin-provider-request.ts'

export async function linkIdentity(ctx: Context, actor: Actor, proof: PasswordProof): Promise<BegunRequest> {
  const { issuer } = demandProvider(ctx)
  if (await findIdentityOf(ctx.db, actor.userId, issuer)) throw LinkedAlready()
  return beginProviderRequest(ctx, { userId: actor.userId, next: '/profile' }, (write) =>
    changeWithPassword(ctx, { actor, proof }, write),
  )
}
