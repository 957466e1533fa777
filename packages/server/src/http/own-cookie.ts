// Cookies of the platform. Under https they carry the __Host- prefix, so that no other host can set them.
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

type Name = 'shipway_session' | 'shipway_device' | 'shipway_provider'

/**
 * Under https the plain name counts for nothing: an application on a neighbouring host could have set it. Without https such an
 * application can set a second one of the same name beside ours, and for some paths before it; two are as good as none.
 */
export function readOwnCookie(
  config: Config,
  request: Pick<FastifyRequest, 'headers'>,
  name: Name,
): string | undefined {
  const { cookie: header } = request.headers
  if (header === undefined) return undefined
  const full = nameOf(config, name)
  const count = header.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === full).length
  return count === 1 ? parseCookie(header)[full] : undefined
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
