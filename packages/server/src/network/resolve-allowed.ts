/**
 * Resolves a host and refuses it unless the platform may connect to every one of its addresses. Callers connect to the addresses
 * returned here and do not resolve the name again: the next answer of DNS can be another one.
 */
import { lookup } from 'node:dns/promises'
import { canonicalIp, mayConnectTo } from '@shipway/api/values/ip-address'
import { isAllowedByName } from '@shipway/api/values/reachable-host'

/** Current addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

type Addresses = readonly [string, ...string[]]

export type AddressFault = {
  readonly code: 'unresolved' | 'no_address' | 'not_allowed'
  /** Without a full stop. */
  readonly sentence: string
  readonly cause?: unknown
}

type ResolveOptions = {
  readonly allowedNetworks: readonly string[]
  readonly toError: (fault: AddressFault) => Error
  readonly resolve?: Resolve | undefined
  /** Decides about each address; public and allowed networks by default. */
  readonly isAllowed?: (address: string) => boolean
}

/** Rejects with what `toError` makes of the fault. */
export async function resolveAllowed(host: string, options: ResolveOptions): Promise<Addresses> {
  const { allowedNetworks, toError, resolve = resolveBySystem } = options
  const { isAllowed = (address) => mayConnectTo(address, allowedNetworks) } = options
  const found = canonicalIp(host) === undefined ? resolve(host) : Promise.resolve([host])
  const [first, ...others] = await found.catch((cause: unknown) => {
    throw toError({ code: 'unresolved', sentence: `The name ${host} cannot be resolved`, cause })
  })
  if (first === undefined) throw toError({ code: 'no_address', sentence: `The name ${host} has no address` })
  const addresses: Addresses = [first, ...others]
  const refused = addresses.find((address) => !isAllowed(address))
  if (refused === undefined || isAllowedByName(host, allowedNetworks)) return addresses
  const sentence = `${host} leads to ${refused}, which is in a private network; an administrator can allow the network in SHIPWAY_ALLOWED_NETWORKS`
  throw toError({ code: 'not_allowed', sentence })
}

/** Asks the resolver of the operating system, which reads /etc/hosts as well. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)
