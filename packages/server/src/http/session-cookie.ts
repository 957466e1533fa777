// The cookie of a dashboard session. Under https it carries the __Host- prefix, so that no other host can set it.
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Secret } from '../secrets/secret.ts'
import { looksLikeToken } from '../secrets/token.ts'

/** Under https the plain name counts for nothing: an application on a neighbouring host could have set it. */
export function sessionTokenOf(config: Config, request: FastifyRequest): string | undefined {
  const { cookie: header } = request.headers
  const cookie = header === undefined ? undefined : parseCookie(header)[nameOf(config)]
  return cookie !== undefined && looksLikeToken(cookie, 'shw_session_') ? cookie : undefined
}

export function sessionCookie(config: Config, token: Secret, maxAgeSeconds: number): string {
  return cookie(config, token.reveal(), maxAgeSeconds)
}

export const endedSessionCookie = (config: Config): string => cookie(config, '', 0)

function cookie(config: Config, value: string, maxAge: number): string {
  return stringifySetCookie({
    name: nameOf(config),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge,
  })
}

const nameOf = (config: Config): string => (isSecure(config) ? '__Host-shipway_session' : 'shipway_session')

const isSecure = ({ baseUrl }: Config): boolean => baseUrl.startsWith('https:')
