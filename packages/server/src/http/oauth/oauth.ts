// The endpoints of the OAuth server: counted here, answered by the library, which writes RFC 6749 bodies.
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { RateLimiter } from '../../scheduling/rate-limiter.ts'
import { createCalls, type OauthEndpoint } from './call.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { createProvider } from './provider.ts'

export async function registerOauth(app: FastifyInstance, ctx: Context): Promise<void> {
  const { baseUrl } = ctx.config
  app.get('/.well-known/oauth-authorization-server', async () => serverMetadata(baseUrl))
  app.get('/.well-known/oauth-protected-resource', async () => resourceMetadata(baseUrl))
  // Where RFC 9728 derives it from the address of the API.
  app.get('/.well-known/oauth-protected-resource/api', async () => resourceMetadata(baseUrl))
  await app.register(async (scope) => mountProvider(scope, ctx))
}

const MOST_PER_MINUTE: Readonly<Record<OauthEndpoint, number>> = {
  device_authorization: 60,
  token: 120,
  revocation: 120,
}

function mountProvider(app: FastifyInstance, ctx: Context): void {
  const loadAnswer = loadedOnce(async () => (await createProvider(ctx)).callback())
  const runCall = createCalls()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const endpoint of ['device_authorization', 'token', 'revocation'] as const) {
    const limiter = ctx.sharedCounts.share(
      `oauth-${endpoint}`,
      new RateLimiter({ name: endpoint, most: MOST_PER_MINUTE[endpoint], windowMs: 60_000 }),
    )
    app.post(`/oauth/${endpoint}`, {
      onRequest: async (request, reply) => refuseTooMany(ctx, limiter, request, reply),
      handler: async (request, reply) => {
        const answer = await loadAnswer()
        reply.hijack()
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value)
        }
        const origin = { address: request.ip, requestId: request.id }
        await runCall({ endpoint, origin }, () => answer(request.raw, reply.raw))
      },
    })
  }
}

/** A failure is not kept: the next request tries again. */
function loadedOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

async function refuseTooMany(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { left, resetMs } = limiter.count(networkOf(request.ip), ctx.clock())
  if (left >= 0) return undefined
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return reply
    .code(429)
    .header('retry-after', String(seconds))
    .send({
      error: 'temporarily_unavailable',
      error_description: `Too many requests. Try again in ${seconds} seconds`,
    })
}
