// Routes as data: each domain with its port on this machine and its password.
import { hash, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../secrets/secret.ts'

export type Route = {
  readonly domain: string
  /** Port on the loopback address. */
  readonly port: number
  readonly environmentId: number
  readonly basicAuth: BasicAuth | null
}

/** A domain of an environment, deployed or not. */
export type KnownDomain = { readonly domain: string; readonly environmentId: number }

/** The digest is SHA-256 in hex of `username:password`: cheap to check at every request, and not the password itself. */
export type BasicAuth = { readonly username: string; readonly digest: string }

export function basicAuthOf(username: string, password: Secret): BasicAuth {
  return { username, digest: hash('sha256', `${username}:${password.reveal()}`) }
}

/** Whether an Authorization header has the right credentials. Takes the same time however wrong they are. */
export function isAuthorized({ digest }: BasicAuth, authorization: string | undefined): boolean {
  const credentials = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1]
  if (credentials === undefined) return false
  return timingSafeEqual(
    Buffer.from(hash('sha256', Buffer.from(credentials, 'base64')), 'hex'),
    Buffer.from(digest, 'hex'),
  )
}

/** The hostname in a Host header: lower case, without port and trailing dot. */
export function hostnameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '')
}
