// Lists where a user is signed in: sessions of the dashboard, and the command line.
import type { Context } from '../../context.ts'
import { TokenBound } from '../../domain/errors.ts'
import { type Actor, boundOrganization } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import { digestOf } from '../../secrets/token.ts'
import { listOauthGrants, type OauthGrant } from '../../store/credentials/oauth-grants.ts'
import { listSessions, type Session } from '../../store/credentials/sessions.ts'
import { findAccount } from '../../store/people/users.ts'
import { orNotFound } from '../or-not-found.ts'

export type SignIn = {
  /** For the user to name it by. */
  readonly id: string
  readonly kind: 'session' | 'oauth'
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly endsAt: number
  readonly address: string | null
  readonly userAgent: string | null
  readonly isCurrent: boolean
}

/** Of each kind. */
const MOST_LISTED = 100

export async function listSignIns(ctx: Context, actor: Actor): Promise<readonly SignIn[]> {
  refuseBoundToken(actor)
  return listAll(ctx, actor, actor.userId)
}

/** For platform administrators. */
export async function listSignInsOf(ctx: Context, actor: Actor, userId: number): Promise<readonly SignIn[]> {
  demandPlatformAdmin(actor)
  orNotFound(await findAccount(ctx.db, userId), 'user')
  return listAll(ctx, actor, userId)
}

async function listAll(ctx: Context, actor: Actor, userId: number): Promise<readonly SignIn[]> {
  const wanted = { userId, now: ctx.clock(), limit: MOST_LISTED }
  const sessions = await listSessions(ctx.db, wanted)
  const grants = await listOauthGrants(ctx.db, wanted)
  return [
    ...sessions.map((session) => ofSession(session, actor)),
    ...grants.map((grant) => ofGrant(grant, actor)),
  ].sort((one, other) => (other.lastUsedAt ?? other.createdAt) - (one.lastUsedAt ?? one.createdAt))
}

/** Sign-ins reach every organization of the user, so a token that is bound to one may not list them. */
export function refuseBoundToken(actor: Actor): void {
  if (boundOrganization(actor) !== null) throw TokenBound()
}

export const sessionName = (id: number): string => `session-${id}`

/** Not the digest itself: lookup keys of the database never leave the platform. */
export const grantName = (digest: string): string => `oauth-${digestOf(`sign-in ${digest}`).slice(0, 24)}`

function ofSession(session: Session, { credential }: Actor): SignIn {
  return {
    id: sessionName(session.id),
    kind: 'session',
    createdAt: session.createdAt,
    lastUsedAt: session.lastSeenAt,
    endsAt: session.endsAt,
    address: session.address,
    userAgent: session.userAgent,
    isCurrent: credential.kind === 'session' && credential.id === session.id,
  }
}

function ofGrant(grant: OauthGrant, { credential }: Actor): SignIn {
  return {
    id: grantName(grant.digest),
    kind: 'oauth',
    createdAt: grant.createdAt,
    lastUsedAt: grant.renewedAt,
    endsAt: grant.endsAt,
    address: grant.address,
    userAgent: null,
    isCurrent: credential.kind === 'oauth' && credential.grant === grant.digest,
  }
}
