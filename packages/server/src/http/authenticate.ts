// Finds out who is behind a request, narrows what they reach, and checks the scope that the route asks for.
import type { Role } from '@shipway/api/people'
import { type Route, SCOPES } from '@shipway/api/route'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import {
  AppError,
  InvalidToken,
  MissingScope,
  NotFound,
  SessionRequired,
  SignInRequired,
  TokenExpired,
} from '../domain/errors.ts'
import type { Actor } from '../domain/people/actor.ts'
import { SecondFactorRequired } from '../domain/people/sign-in-errors.ts'
import { programOf } from '../domain/tasks/cause.ts'
import { touchCredential } from '../operations/credentials/touch-credential.ts'
import { digestOf, looksLikeToken } from '../secrets/token.ts'
import {
  type FoundCredential,
  findOauthCredential,
  findPersonalCredential,
  findSessionCredential,
} from '../store/credentials/credentials.ts'
import { bearerTokenOf } from './bearer-token.ts'
import { isForMetrics } from './metrics/metrics-access.ts'
import { isFromPage, isPartOfForeignPage, refuseForeignOrigin } from './origin.ts'
import { sessionTokenOf } from './session-cookie.ts'

/** The parts of a request that identify the caller. */
export type CallerRequest = Pick<FastifyRequest, 'headers' | 'method' | 'ip' | 'id'>

export async function authenticate(ctx: Context, route: Route, request: FastifyRequest): Promise<Actor | undefined> {
  // A git host may send an Authorization header of its own.
  if (route.rawBody || isForMetrics(ctx, route, request)) return undefined
  const found = await findCredential(ctx, request)
  if (!found) {
    if (route.permission === 'public') {
      // Signing in sets a cookie: a foreign page must not sign a visitor in to another account.
      if (isFromPage(request)) refuseForeignOrigin(ctx, request)
      return undefined
    }
    throw SignInRequired()
  }
  if (found.credential.kind === 'session') refuseForeignOrigin(ctx, request)
  else if (route.sessionOnly) throw SessionRequired()
  await touchCredential(ctx, found)
  const actor = actorOf(found, request)
  if (route.scope !== 'none' && !actor.scopes.has(route.scope)) throw MissingScope(route.scope)
  // This endpoint lists the organizations that the header can name.
  if (route.path === '/api/me') return actor
  const narrowed = narrow(ctx, { actor, found, request })
  if (lacksSecondFactor(narrowed, route)) throw SecondFactorRequired(ctx.config.baseUrl)
  return narrowed
}

/** Only to say why: a user who is locked out reaches nothing in any case. Routes about the user alone stay open. */
function lacksSecondFactor({ roles, locked, isLockedOut }: Actor, { permission }: Route): boolean {
  if (permission === 'public' || permission === 'signed_in') return false
  if (permission === 'platform_admin') return isLockedOut === true
  return roles.size === 0 && locked !== undefined && locked.size > 0
}

export type SignIn = {
  readonly actor: Actor
  /** When it expires. */
  readonly until: number
}

/** Authenticates again for a request that stays open: undefined once the sign-in has ended or no longer reaches the organization. */
export async function signInAgain(
  ctx: Context,
  asking: CallerRequest,
  lookUp: LookUp = lookUpAlone,
): Promise<SignIn | undefined> {
  try {
    const found = await findCredential(ctx, asking, lookUp)
    if (!found) return undefined
    const actor = narrow(ctx, { actor: actorOf(found, asking), found, request: asking })
    return { actor, until: found.expiresAt }
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}

/** Finds a credential by the digest of what was sent. Connections that ask for the same one at once may share the query. */
export type LookUp = (
  digest: string,
  find: () => Promise<FoundCredential | undefined>,
) => Promise<FoundCredential | undefined>
const lookUpAlone: LookUp = (_digest, find) => find()

/** A bearer token takes precedence: a cookie beside it is ignored. */
async function findCredential(
  ctx: Context,
  request: CallerRequest,
  lookUp: LookUp = lookUpAlone,
): Promise<FoundCredential | undefined> {
  const header = request.headers.authorization
  if (header === undefined || header === '') {
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (isReading && isPartOfForeignPage(request)) return undefined
    const token = sessionTokenOf(ctx.config, request)
    const digest = token && digestOf(token)
    const session = digest && (await lookUp(digest, () => findSessionCredential(ctx.db, digest)))
    return session && session.expiresAt > ctx.clock() ? session : undefined
  }
  const token = bearerTokenOf(request.headers)
  const found = token ? await lookUp(digestOf(token), () => findTokenCredential(ctx, token)) : undefined
  if (!found) throw InvalidToken()
  if (found.expiresAt <= ctx.clock()) throw TokenExpired()
  return found
}

async function findTokenCredential(ctx: Context, token: string): Promise<FoundCredential | undefined> {
  if (looksLikeToken(token, 'shw_pat_')) return findPersonalCredential(ctx.db, digestOf(token))
  if (token.startsWith('shw_at_')) return findOauthCredential(ctx.db, digestOf(token))
  return undefined
}

function actorOf(found: FoundCredential, request: CallerRequest): Actor {
  return {
    userId: found.user.id,
    name: found.user.name,
    isPlatformAdmin: found.user.isPlatformAdmin,
    roles: found.organizationId === null ? found.roles : only(found.roles, found.organizationId),
    locked: found.organizationId === null ? found.locked : onlyLocked(found.locked, found.organizationId),
    isLockedOut: found.user.isLockedOut,
    scopes: found.credential.kind === 'session' ? new Set(SCOPES) : found.scopes,
    credential: found.credential,
    program: programOf(request.headers['user-agent']),
    origin: { address: request.ip, requestId: request.id },
  }
}

/** The header only narrows: an organization that the caller is not in answers as one that does not exist. */
function narrow(ctx: Context, { actor, found, request }: Narrowing): Actor {
  const header = request.headers['x-service-organization']
  if (header === undefined) return actor
  const id = typeof header === 'string' && /^[1-9][0-9]{0,15}$/.test(header) ? Number(header) : Number.NaN
  if (!Number.isSafeInteger(id)) {
    throw new AppError(
      'invalid_organization_header',
      'Give the id of one of your organizations in X-Service-Organization',
    )
  }
  if (actor.locked?.has(id)) throw SecondFactorRequired(ctx.config.baseUrl)
  if (!found.roles.has(id) && !found.locked.has(id)) throw NotFound('organization')
  if (!actor.roles.has(id))
    throw new AppError('organization_not_accessible', 'This token is bound to another organization')
  return { ...actor, roles: only(actor.roles, id), locked: new Set() }
}

type Narrowing = { readonly actor: Actor; readonly found: FoundCredential; readonly request: CallerRequest }

function only(roles: ReadonlyMap<number, Role>, organizationId: number): ReadonlyMap<number, Role> {
  const role = roles.get(organizationId)
  return new Map(role ? [[organizationId, role]] : [])
}

const onlyLocked = (locked: ReadonlySet<number>, organizationId: number): ReadonlySet<number> =>
  new Set(locked.has(organizationId) ? [organizationId] : [])
