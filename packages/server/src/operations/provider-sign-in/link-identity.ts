// Begins to link the provider to the account of whoever is signed in. Whoever is linked gets in without password and code, so both are
// asked for.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { LinkedAlready } from '../../domain/people/sign-in-errors.ts'
import { findIdentityOf } from '../../store/credentials/identities.ts'
import { changeWithProof, type Proof } from '../second-factor/change-with-proof.ts'
import { type BegunRequest, beginProviderRequest, demandProvider } from './begin-provider-request.ts'

export async function linkIdentity(ctx: Context, actor: Actor, proof: Proof): Promise<BegunRequest> {
  const { issuer } = demandProvider(ctx)
  if (await findIdentityOf(ctx.db, actor.userId, issuer)) throw LinkedAlready()
  return beginProviderRequest(ctx, { userId: actor.userId, next: '/profile' }, (write) =>
    changeWithProof(ctx, { actor, proof }, write),
  )
}
