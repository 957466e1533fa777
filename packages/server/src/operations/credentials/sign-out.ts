// Ends the sign-in that a call came with, or every one of the user.
import type { Context } from '../../context.ts'
import { MissingScope } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { Change } from '../../store/change.ts'
import { deleteOauthGrant } from '../../store/credentials/oauth-records.ts'
import { updatePersonalTokenRevoked } from '../../store/credentials/personal-tokens.ts'
import { deleteSession } from '../../store/credentials/sessions.ts'
import { endEverySignIn } from './end-every-sign-in.ts'

export async function signOut(ctx: Context, actor: Actor, { everywhere }: { everywhere: boolean }): Promise<void> {
  // A token may always revoke itself; to end other sign-ins it needs more than read access.
  if (everywhere && !actor.scopes.has('admin')) throw MissingScope('admin')
  await ctx.change(actor, async (tx) => {
    if (everywhere) await endEverySignIn(tx, actor.userId)
    else await endCredential(ctx, tx, actor)
    await tx.audit({
      organizationId: null,
      action: everywhere ? 'session.ended_everywhere' : 'session.ended',
      target: { kind: 'user', id: actor.userId, name: actor.name },
    })
  })
}

async function endCredential(ctx: Context, tx: Change, { userId, credential }: Actor): Promise<void> {
  if (credential.kind === 'session') await deleteSession(tx, userId, credential.id)
  if (credential.kind === 'personal') await updatePersonalTokenRevoked(tx, credential.id, ctx.clock())
  if (credential.kind === 'oauth') await deleteOauthGrant(tx, credential.grant)
}
