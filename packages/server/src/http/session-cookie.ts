// The cookie of a dashboard session.
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Secret } from '../secrets/secret.ts'
import { looksLikeToken } from '../secrets/token.ts'
import { ownCookie, readOwnCookie } from './own-cookie.ts'

export function sessionTokenOf(config: Config, request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const cookie = readOwnCookie(config, request, 'shipway_session')
  return cookie !== undefined && looksLikeToken(cookie, 'shw_session_') ? cookie : undefined
}

export function sessionCookie(config: Config, token: Secret, maxAge: number): string {
  return ownCookie(config, { name: 'shipway_session', value: token.reveal(), maxAge })
}

export const endedSessionCookie = (config: Config): string =>
  ownCookie(config, { name: 'shipway_session', value: '', maxAge: 0 })
