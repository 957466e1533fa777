// The OAuth library, set up for one public client that signs in by the device flow, and nothing of OpenID.
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { SCOPES } from '@shipway/api/route'
import type { ClientMetadata, Provider } from 'oidc-provider'
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import { OAUTH_CLIENT, OAUTH_LIFETIMES, POLL_INTERVAL_SECONDS } from '../../domain/people/oauth.ts'
import { newToken, type TokenPrefix } from '../../secrets/token.ts'
import { createAdapter } from './adapter.ts'
import { currentCall } from './call.ts'

/** The library takes 10 MB, and few installations see a sign-in by the device flow each day: it is loaded for the first. */
export async function createProvider(ctx: Context): Promise<Provider> {
  const { errors, Provider } = await import('oidc-provider')
  const provider = new Provider(ctx.config.baseUrl, {
    adapter: (kind: string) => createAdapter(ctx, kind, errors),
    clients: [client],
    jwks: { keys: [unusedKey()] },
    scopes: [...SCOPES],
    routes: {
      device_authorization: '/oauth/device_authorization',
      token: '/oauth/token',
      revocation: '/oauth/revocation',
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, caller, token) => token.clientId === caller.clientId },
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****', deviceInfo: whoAsks },
    },
    ttl: {
      AccessToken: OAUTH_LIFETIMES.accessToken,
      RefreshToken: OAUTH_LIFETIMES.refreshToken,
      DeviceCode: OAUTH_LIFETIMES.deviceCode,
      Grant: OAUTH_LIFETIMES.grant,
    },
    // Records are deleted with their user, so the user of a record exists.
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => false,
    renderError: (koa, body) => {
      koa.body = body
    },
  })
  nameTokens(provider.AccessToken, 'shw_at_')
  nameTokens(provider.RefreshToken, 'shw_rt_')
  provider.use((koa, next) => finish(ctx, koa, next))
  const logFailure = (err: unknown): void => ctx.log.error({ err }, 'the OAuth server failed')
  provider.on('server_error', (koa, error: unknown) => {
    logFailure(error)
    if (error instanceof AppError && error.code === 'unavailable') sayUnavailable(koa, error)
  })
  provider.onerror = logFailure
  return provider
}

/** The library knows no error that passes by itself, and has written `server_error`. */
function sayUnavailable(koa: Pick<Reply, 'body'> & { status: number; set(headers: object): void }, error: AppError) {
  koa.status = error.status
  koa.set({ ...error.headers })
  koa.body = { error: 'temporarily_unavailable', error_description: error.message }
}

/** The library settles the format of a token while it makes the id, so its own id is made and put aside. */
function nameTokens(model: { readonly prototype: object }, prefix: TokenPrefix): void {
  const generate: unknown = Reflect.get(model.prototype, METHOD)
  if (typeof generate !== 'function') throw new Error(`oidc-provider has no ${METHOD} any more`)
  Reflect.set(model.prototype, METHOD, function (this: unknown): string {
    generate.call(this)
    return newToken(prefix).token.reveal()
  })
}

const METHOD = 'generateTokenId'

const client: ClientMetadata = {
  client_id: OAUTH_CLIENT.id,
  client_name: OAUTH_CLIENT.name,
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  response_types: [],
  id_token_signed_response_alg: 'ES256',
  redirect_uris: [],
}

/** Nothing is signed, since tokens are opaque; but the library takes no client without a key to sign for it. */
function unusedKey(): JsonWebKey {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
}

/** Shown to the person who is asked to approve. */
const whoAsks = (): { address: string } => ({ address: currentCall().origin.address })

type Reply = {
  readonly response: { readonly headers: Readonly<Record<string, unknown>> }
  body?: unknown
  remove(header: string): void
}

/** No page of another site talks to these endpoints; and the address that people open is ours, whatever Host came in. */
async function finish(ctx: Context, koa: Reply, next: () => Promise<void>): Promise<void> {
  await next()
  for (const header of Object.keys(koa.response.headers)) {
    if (header.startsWith('access-control-')) koa.remove(header)
  }
  const { body } = koa
  if (typeof body !== 'object' || body === null || !('user_code' in body)) return
  const uri = `${ctx.config.baseUrl}/device`
  koa.body = {
    ...body,
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${body.user_code}`,
    interval: POLL_INTERVAL_SECONDS,
  }
}
