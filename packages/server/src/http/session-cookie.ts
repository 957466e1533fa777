// The cookie of a dashboard session. Under https it carries the __Host- prefix, so that no other host can set it.

import { fastifyCookie } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Secret } from '../secrets/secret.ts'
import { looksLikeToken } from '../secrets/token.ts'

const names = ['__Host-shipway_session', 'shipway_session'] as const

export function sessionTokenOf(request: FastifyRequest): string | undefined {
  const cookie = names.map((name) => request.cookies[name]).find((value) => value !== undefined)
  return cookie !== undefined && looksLikeToken(cookie, 'shw_session_') ? cookie : undefined
}

export function sessionCookie(config: Config, token: Secret, maxAgeSeconds: number): string {
  return cookie(config, token.reveal(), maxAgeSeconds)
}

export const endedSessionCookie = (config: Config): string => cookie(config, '', 0)

function cookie(config: Config, value: string, maxAge: number): string {
  const secure = config.baseUrl.startsWith('https:')
  return fastifyCookie.serialize(secure ? names[0] : names[1], value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge,
  })
}
