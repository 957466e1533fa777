// All that the edge of a server must hold at one moment, and the files of HAProxy that say so.
import { normaliseDomain } from '@shipway/api/values/hostname'

export type EdgeState = {
  /** A higher number is a newer snapshot of the records. */
  readonly version: number
  readonly domains: readonly EdgeDomain[]
  /** Of the key of the account at the certificate authority; null while there is none. */
  readonly acmeThumbprint: string | null
}

export type EdgeDomain = {
  readonly domain: string
  readonly environmentId: number
  /** Of 127.0.0.1; null where nothing is deployed yet. */
  readonly port: number | null
  /** SHA-256 in hex of `username:password`; null: everybody is let in. */
  readonly digest: string | null
  /** It has a certificate: plain requests are sent on to https. */
  readonly isSecure: boolean
}

type EdgeFiles = {
  readonly routes: string
  readonly acme: string
  /** Domains that were left out, so that one that should not be there spoils nothing of the others. */
  readonly refused: readonly string[]
}

/** In an order that depends on nothing but the domains: the same state is the same text. */
export function edgeFiles({ domains, acmeThumbprint }: Omit<EdgeState, 'version'>): EdgeFiles {
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

function lineOf({ domain, environmentId, port, digest, isSecure }: EdgeDomain): string {
  return `${domain} ${port ?? 0}:${environmentId}:${digest ?? 'none'}:${isSecure ? 'https' : 'http'}\n`
}

/** The records keep these rules already. Here each value becomes part of a file that a program reads line by line. */
function isSound({ domain, environmentId, port, digest }: EdgeDomain): boolean {
  return (
    normaliseDomain(domain) === domain &&
    Number.isSafeInteger(environmentId) &&
    environmentId > 0 &&
    (port === null || (Number.isInteger(port) && port >= 1 && port <= 65_535)) &&
    (digest === null || /^[0-9a-f]{64}$/.test(digest))
  )
}
