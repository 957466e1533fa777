// Revokes a personal token of whoever calls.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findPersonalToken, updatePersonalTokenRevoked } from '../../store/credentials/personal-tokens.ts'
import { audit } from '../audit.ts'
import { required } from '../required.ts'

export async function deleteToken(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    const token = required(await findPersonalToken(db, actor, id), 'token')
    await updatePersonalTokenRevoked(db, id, ctx.clock())
    await audit(ctx, db, actor, {
      organizationId: token.organizationId,
      action: 'token.revoked',
      target: { kind: 'token', id, name: token.name },
    })
  })
}
