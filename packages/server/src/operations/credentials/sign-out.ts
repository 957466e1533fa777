// Ends the sign-in that a call came with, or every one of the user.
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import { MissingScope } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { deleteOauthGrant } from '../../store/credentials/oauth-records.ts'
import { updatePersonalTokenRevoked } from '../../store/credentials/personal-tokens.ts'
import { deleteSession } from '../../store/credentials/sessions.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { audit } from '../audit.ts'
import { endEverySignIn } from './end-every-sign-in.ts'

export async function signOut(ctx: Context, actor: Actor, { everywhere }: { everywhere: boolean }): Promise<void> {
  // A token may always give itself up; to end what it does not hold, it needs to be more than a reader's.
  if (everywhere && !actor.scopes.has('admin')) throw MissingScope('admin')
  await ctx.db.transaction().execute(async (db) => {
    if (everywhere) await endEverySignIn(db, actor.userId)
    else await endCredential(ctx, db, actor)
    await audit(ctx, db, actor, {
      organizationId: null,
      action: everywhere ? 'session.ended_everywhere' : 'session.ended',
      target: { kind: 'user', id: actor.userId, name: actor.name },
    })
  })
}

async function endCredential(ctx: Context, db: Kysely<Tables>, { credential }: Actor): Promise<void> {
  if (credential.kind === 'session') await deleteSession(db, credential.id)
  if (credential.kind === 'personal') await updatePersonalTokenRevoked(db, credential.id, ctx.clock())
  if (credential.kind === 'oauth') await deleteOauthGrant(db, credential.grant)
}
