// The cookie that binds a sign-in with the provider to the browser that began it.
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import type { Secret } from '../../../secrets/secret.ts'
import { ownCookie, readOwnCookie } from '../../own-cookie.ts'

export const providerTokenOf = (config: Config, request: Pick<FastifyRequest, 'headers'>): string | undefined =>
  readOwnCookie(config, request, 'shipway_provider')

export function providerCookie(
  config: Config,
  { token, maxAgeSeconds }: { readonly token: Secret; readonly maxAgeSeconds: number },
): string {
  return ownCookie(config, { name: 'shipway_provider', value: token.reveal(), maxAge: maxAgeSeconds })
}

export const endedProviderCookie = (config: Config): string =>
  ownCookie(config, { name: 'shipway_provider', value: '', maxAge: 0 })
