// Who may read /metrics: a caller with the token of the settings, or everyone if the settings allow it. An address proves nothing, since
// a proxy on the same machine makes every visitor look local.
import { timingSafeEqual } from 'node:crypto'
import type { Route } from '@shipway/api/route'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { type Actor, boundOrganization } from '../../domain/people/actor.ts'
import { digestOf } from '../../secrets/token.ts'
import { bearerTokenOf } from '../bearer-token.ts'

/** A platform administrator needs no setting, unless the token that was brought is for one organization. */
export function mayReadMetrics(ctx: Context, actor: Actor | undefined, request: FastifyRequest): boolean {
  if (ctx.config.metricsAreOpen || bringsMetricsToken(ctx, request)) return true
  return actor?.isPlatformAdmin === true && actor.scopes.has('read') && boundOrganization(actor) === null
}

/** The metrics token belongs to no user, so no credential is looked up for it. */
export const isForMetrics = (ctx: Context, route: Route, request: FastifyRequest): boolean =>
  route.path === '/metrics' && bringsMetricsToken(ctx, request)

/** Digests have one length, so comparing them tells nothing of the token. */
function bringsMetricsToken({ config, ownMetricsToken }: Context, { headers }: FastifyRequest): boolean {
  const given = bearerTokenOf(headers)
  if (given === undefined) return false
  const known = [config.metricsToken, ownMetricsToken].flatMap((token) => token ?? [])
  return known.some((token) => timingSafeEqual(Buffer.from(digestOf(given)), Buffer.from(digestOf(token.reveal()))))
}
