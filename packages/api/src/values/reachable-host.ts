/** Whether the platform may connect to a host that a user names, checked by the text alone. */
import { isUnder } from './hostname.ts'
import { canonicalIp, mayConnectTo } from './ip-address.ts'

/**
 * Names that only a private network can answer for are refused: of one label, and the top-level domains set aside for them. A name
 * that passes can still resolve to a private address: the code that connects asks `mayConnectTo` again.
 */
export function mayReachHost(host: string, allowedNetworks: readonly string[]): boolean {
  if (canonicalIp(host) !== undefined) return mayConnectTo(host, allowedNetworks)
  if (isAllowedByName(host, allowedNetworks)) return true
  return host.includes('.') && !privateDomains.some((domain) => isUnder(host, domain))
}

/** The administrator may allow a host by its exact name, wherever that leads. */
export const isAllowedByName = (host: string, allowedNetworks: readonly string[]): boolean =>
  allowedNetworks.some((allowed) => allowed.toLowerCase() === host)

const privateDomains: readonly string[] = ['localhost', 'internal', 'local', 'localdomain', 'lan', 'home.arpa']
