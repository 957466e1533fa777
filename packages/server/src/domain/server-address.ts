// What it takes to reach a server and work on it, and which addresses a server may have.
import { isUnder } from '@shipway/api/values/hostname'
import { canonicalIp, mayConnectTo, privateNetworks } from '@shipway/api/values/ip-address'
import { isAllowedByName, mayReachHost } from '@shipway/api/values/reachable-host'
import type { RuntimeName } from '@shipway/api/values/runtime'

export type ServerAddress = {
  readonly id: number
  readonly name: string
  readonly connection: 'ssh' | 'local'
  readonly hostname: string
  readonly port: number
  readonly unixUser: string
  /** `ssh-ed25519 AAAA…`; null until the first connection has pinned the key that it met. */
  readonly hostKey: string | null
  /** The ssh principal of this server and no other. The machine accepts the principals whose set-up command ran on it. */
  readonly principal: string
  /** The machine was set up for this record: same address, same principal. */
  readonly hasSignedIn: boolean
  /** A platform administrator gave the address: it may be in a private network. */
  readonly mayBePrivate: boolean
  /** What runs its containers. */
  readonly runtime: RuntimeName
}

type AllowedAddresses = { readonly allowedNetworks: readonly string[]; readonly mayBePrivate: boolean }

/** Why an address is refused for a server, checked by its text alone. */
export function serverAddressFault(
  hostname: string,
  { allowedNetworks, mayBePrivate }: AllowedAddresses,
): { readonly code: 'network_not_allowed'; readonly detail: string } | undefined {
  const code = 'network_not_allowed'
  if (!mayBePrivate)
    return mayReachHost(hostname, allowedNetworks) ? undefined : { code, detail: privateNetworkDetail(hostname) }
  const isAllowed =
    canonicalIp(hostname) === undefined
      ? !isUnder(hostname, 'localhost') || isAllowedByName(hostname, allowedNetworks)
      : isAllowedServerIp(hostname, { allowedNetworks, mayBePrivate })
  if (isAllowed) return undefined
  const detail =
    `${hostname} is no address of another machine. Register the platform's own with connection local; an administrator can ` +
    'allow the network in SHIPWAY_ALLOWED_NETWORKS'
  return { code, detail }
}

/** Whether the platform may connect to this address, which a server has or its name leads to. */
export function isAllowedServerIp(address: string, { allowedNetworks, mayBePrivate }: AllowedAddresses): boolean {
  return mayConnectTo(address, mayBePrivate ? [...allowedNetworks, ...privateNetworks] : allowedNetworks)
}

const privateNetworkDetail = (hostname: string): string =>
  `${hostname} is in a private network. A platform administrator can give a server this address, or allow the network in ` +
  'SHIPWAY_ALLOWED_NETWORKS'
