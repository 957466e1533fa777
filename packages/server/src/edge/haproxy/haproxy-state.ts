// Everything that HAProxy on a server must know at one moment, and the map files for it.
import { normaliseDomain } from '@shipway/api/values/hostname'

export type HaproxyState = {
  /** A higher version is a newer snapshot of the records. */
  readonly version: number
  readonly domains: readonly HaproxyDomain[]
  /** Thumbprint of the ACME account's key; null while there is none. */
  readonly acmeThumbprint: string | null
}

export type HaproxyDomain = {
  readonly domain: string
  readonly environmentId: number
  /** Port on 127.0.0.1; null if nothing is deployed yet. */
  readonly port: number | null
  /** SHA-256 in hex of `username:password`; null if no password is needed. */
  readonly digest: string | null
  /** It has a certificate: plain requests are redirected to https. */
  readonly isSecure: boolean
  /** Its port is a balance group whose visitors stay with one upstream. */
  readonly isSticky?: boolean
}

type HaproxyFiles = {
  readonly routes: string
  readonly acme: string
  /** Domains that were left out, so that one invalid entry does not break the others. */
  readonly refused: readonly string[]
}

/** Sorted by domain, so that the same state gives the same text. */
export function haproxyFiles({ domains, acmeThumbprint }: Omit<HaproxyState, 'version'>): HaproxyFiles {
  const lines = new Map<string, string>()
  const refused: string[] = []
  for (const entry of domains) {
    if (isSound(entry) && !lines.has(entry.domain)) lines.set(entry.domain, lineOf(entry))
    else refused.push(entry.domain)
  }
  const isThumbprint = acmeThumbprint !== null && /^[A-Za-z0-9_-]{43}$/.test(acmeThumbprint)
  return {
    routes: [...lines.values()].sort().join(''),
    acme: isThumbprint ? `thumbprint ${acmeThumbprint}\n` : '',
    refused,
  }
}

function lineOf({ domain, environmentId, port, digest, isSecure, isSticky = false }: HaproxyDomain): string {
  const sessions = isSticky ? ':sticky' : ''
  return `${domain} ${port ?? 0}:${environmentId}:${digest ?? 'none'}:${isSecure ? 'https' : 'http'}${sessions}\n`
}

/** The records already keep these rules. They are checked again because each value becomes part of a file that HAProxy reads line by line. */
function isSound({ domain, environmentId, port, digest }: HaproxyDomain): boolean {
  return (
    normaliseDomain(domain) === domain &&
    Number.isSafeInteger(environmentId) &&
    environmentId > 0 &&
    (port === null || (Number.isInteger(port) && port >= 1 && port <= 65_535)) &&
    (digest === null || /^[0-9a-f]{64}$/.test(digest))
  )
}
