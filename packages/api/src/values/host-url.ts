/** The address of a git host's pages, which its API is derived from. */
import { z } from 'zod'
import { isAllowedByName, mayReachHost } from './reachable-host.ts'
import { receiverHostOf } from './receiver-url.ts'
import { rule } from './rule.ts'

const LONGEST = 500

/** Stored without a slash at its end. */
export const HostUrl = z
  .string()
  .check(
    rule(
      'invalid_url',
      'Give an address such as https://git.example.com, without user name, password, query or fragment',
      isHostUrl,
    ),
  )
  .overwrite((text) => (isHostUrl(text) ? new URL(text).href.replace(/(?<!\/)\/+$/, '') : text))

function isHostUrl(text: string): boolean {
  if (text.length > LONGEST || !/^https?:\/\/[A-Za-z0-9.:[\]/_~-]+$/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.hostname !== '' && !url.username && !url.password && !url.pathname.includes('//')
}

/** Why this platform does not send a token there. `allowedNetworks` holds networks, addresses and exact host names. */
export function hostUrlFault(
  url: string,
  { allowedNetworks }: { readonly allowedNetworks: readonly string[] },
): { readonly code: string; readonly detail: string } | undefined {
  const host = receiverHostOf(url)
  if (!mayReachHost(host, allowedNetworks))
    return {
      code: 'network_not_allowed',
      detail: `${host} is in a private network; an administrator can allow it in SHIPWAY_ALLOWED_NETWORKS`,
    }
  // Only an administrator can say that the network between the platform and a host is private.
  const isOwnNetwork = !mayReachHost(host, []) || isAllowedByName(host, allowedNetworks)
  if (url.startsWith('https:') || isOwnNetwork) return undefined
  return {
    code: 'insecure_url',
    detail:
      'Give an https address: the token would be readable on its way. Hosts in SHIPWAY_ALLOWED_NETWORKS may use http',
  }
}
