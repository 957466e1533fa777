// Ends a sign-in: a session, or the command line with all its tokens. Of the caller, or of any user by a platform administrator.
import type { Context } from '../../context.ts'
import { NotFound } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { OAUTH_CLIENT } from '../../domain/people/oauth.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { listOauthGrants } from '../../store/credentials/oauth-grants.ts'
import { deleteOauthGrant } from '../../store/credentials/oauth-records.ts'
import { deleteSession } from '../../store/credentials/sessions.ts'
import { type Account, findAccount } from '../../store/people/users.ts'
import { orNotFound } from '../or-not-found.ts'
import { endEverySignIn } from './end-every-sign-in.ts'
import { grantName, refuseBoundToken, sessionName } from './list-sign-ins.ts'

/** `isOwn`: the call itself came with it. */
export async function endSignIn(ctx: Context, actor: Actor, id: string): Promise<{ readonly isOwn: boolean }> {
  refuseBoundToken(actor)
  await ctx.change(actor, async (tx) => tx.audit(await deleteSignIn(ctx, tx, { userId: actor.userId, id })))
  return { isOwn: isOwn(actor, id) }
}

/** Of any user, for platform administrators. */
export async function endSignInOf(
  ctx: Context,
  actor: Actor,
  signIn: UserSignIn,
): Promise<{ readonly isOwn: boolean }> {
  demandPlatformAdmin(actor)
  await ctx.change(actor, async (tx) => {
    const account = orNotFound(await findAccount(tx, signIn.userId), 'user')
    await deleteSignIn(ctx, tx, signIn)
    await auditOf(tx, account, 'user.session_ended')
  })
  return { isOwn: isOwn(actor, signIn.id) }
}

/** Every session and every OAuth sign-in. Personal tokens stay. */
export async function endSignInsOf(ctx: Context, actor: Actor, userId: number): Promise<{ readonly isOwn: boolean }> {
  demandPlatformAdmin(actor)
  await ctx.change(actor, async (tx) => {
    const account = orNotFound(await findAccount(tx, userId), 'user')
    await endEverySignIn(tx, userId)
    await auditOf(tx, account, 'user.signed_out')
  })
  return { isOwn: actor.userId === userId && actor.credential.kind === 'session' }
}

const isOwn = ({ credential }: Actor, id: string): boolean =>
  credential.kind === 'session' && sessionName(credential.id) === id

const auditOf = (tx: Change, { id, name }: Account, action: string): Promise<void> =>
  tx.audit({ organizationId: null, action, target: { kind: 'user', id, name } })

type SignInAudit = Parameters<Change['audit']>[0]
type UserSignIn = { readonly userId: number; readonly id: string }

/** Returns how the owner of the session records it. */
async function deleteSignIn(ctx: Context, tx: Change, { userId, id: name }: UserSignIn): Promise<SignInAudit> {
  const id = sessionIdOf(name)
  if (id !== undefined) {
    if (!(await deleteSession(tx, userId, id))) throw NotFound('session')
    return { organizationId: null, action: 'session.ended', target: { kind: 'session', id, name: '' } }
  }
  const grants = await listOauthGrants(tx, { userId, now: ctx.clock(), limit: MOST_GRANTS })
  const grant = grants.find(({ digest }) => grantName(digest) === name)
  if (!grant || !(await deleteOauthGrant(tx, grant.digest))) throw NotFound('session')
  const target = { kind: 'oauth_grant', id: null, name: OAUTH_CLIENT.name }
  return { organizationId: null, action: 'oauth.revoked', target }
}

/** More than are ever listed. */
const MOST_GRANTS = 1000

function sessionIdOf(name: string): number | undefined {
  const id = Number(/^session-([1-9][0-9]{0,15})$/.exec(name)?.[1])
  return Number.isSafeInteger(id) ? id : undefined
}
