// Revokes a personal token of the caller.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findPersonalToken, updatePersonalTokenRevoked } from '../../store/credentials/personal-tokens.ts'
import { orNotFound } from '../or-not-found.ts'

export async function deleteToken(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const token = orNotFound(await findPersonalToken(tx, actor, id), 'token')
    await updatePersonalTokenRevoked(tx, id, ctx.clock())
    await tx.audit({
      organizationId: token.organizationId,
      action: 'token.revoked',
      target: { kind: 'token', id, name: token.name },
    })
  })
}
