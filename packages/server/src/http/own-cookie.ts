// Cookies of the platform. Under https they carry the __Host- prefix, so that no other host can set them.
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

type Name = 'shipway_session' | 'shipway_device'

/** Under https the plain name counts for nothing: an application on a neighbouring host could have set it. */
export function readOwnCookie(config: Config, request: FastifyRequest, name: Name): string | undefined {
  const { cookie: header } = request.headers
  return header === undefined ? undefined : parseCookie(header)[nameOf(config, name)]
}

export function ownCookie(
  config: Config,
  { name, value, maxAge }: { readonly name: Name; readonly value: string; readonly maxAge: number },
): string {
  return stringifySetCookie({
    name: nameOf(config, name),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge,
  })
}

const nameOf = (config: Config, name: Name): string => (isSecure(config) ? `__Host-${name}` : name)

const isSecure = ({ baseUrl }: Config): boolean => baseUrl.startsWith('https:')
