// Ends one sign-in of the caller: a session, or the command line with all its tokens.
import type { Context } from '../../context.ts'
import { NotFound } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { OAUTH_CLIENT } from '../../domain/people/oauth.ts'
import type { Change } from '../../store/change.ts'
import { listOauthGrants } from '../../store/credentials/oauth-grants.ts'
import { deleteOauthGrant } from '../../store/credentials/oauth-records.ts'
import { deleteSession } from '../../store/credentials/sessions.ts'
import { demandWholeReach, grantName, sessionName } from './list-sign-ins.ts'

/** `isOwn`: the call itself came with it. */
export async function endSignIn(ctx: Context, actor: Actor, id: string): Promise<{ readonly isOwn: boolean }> {
  demandWholeReach(actor)
  const sessionId = sessionIdOf(id)
  await ctx.change(actor, (tx) =>
    sessionId === undefined ? endGrant(ctx, tx, actor, id) : endSession(tx, actor, sessionId),
  )
  return { isOwn: actor.credential.kind === 'session' && sessionName(actor.credential.id) === id }
}

async function endSession(tx: Change, { userId }: Actor, id: number): Promise<void> {
  if (!(await deleteSession(tx, userId, id))) throw NotFound('session')
  await tx.audit({ organizationId: null, action: 'session.ended', target: { kind: 'session', id, name: '' } })
}

async function endGrant(ctx: Context, tx: Change, { userId }: Actor, id: string): Promise<void> {
  const grants = await listOauthGrants(tx, { userId, now: ctx.clock(), limit: MOST_GRANTS })
  const grant = grants.find(({ digest }) => grantName(digest) === id)
  if (!grant || !(await deleteOauthGrant(tx, grant.digest))) throw NotFound('session')
  const target = { kind: 'oauth_grant', id: null, name: OAUTH_CLIENT.name }
  await tx.audit({ organizationId: null, action: 'oauth.revoked', target })
}

/** More than are ever listed. */
const MOST_GRANTS = 1000

function sessionIdOf(name: string): number | undefined {
  const id = Number(/^session-([1-9][0-9]{0,15})$/.exec(name)?.[1])
  return Number.isSafeInteger(id) ? id : undefined
}
