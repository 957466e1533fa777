// The addresses of a repository's host, once more checked against where the platform may connect to.
import { lookup } from 'node:dns/promises'
import { canonicalIp, mayConnectTo } from '@shipway/api/values/ip-address'
import { isAllowedByName } from '@shipway/api/values/reachable-host'
import { parseRepositoryAddress, repositoryAddressFault } from '@shipway/api/values/repository-address'
import { SourceError } from './source-error.ts'

/** The addresses of a name, as DNS has them now. */
export type Resolve = (host: string) => Promise<readonly string[]>

/**
 * A name can lead elsewhere than when it was saved, and elsewhere again a moment later: git is told to use these addresses
 * and does not resolve the name itself.
 */
export async function resolveRepositoryHost(
  repository: string,
  allowedNetworks: readonly string[],
  resolve: Resolve = resolveName,
): Promise<readonly string[]> {
  const fault = repositoryAddressFault(repository, { allowedNetworks })
  const host = parseRepositoryAddress(repository)?.host
  if (fault || host === undefined) throw new SourceError('address_not_allowed', `${repository}: ${fault?.detail}`)
  return resolveAllowed(host, allowedNetworks, resolve)
}

/** The addresses of a host, if the platform may connect to every one of them. */
export async function resolveAllowed(
  host: string,
  allowedNetworks: readonly string[],
  resolve: Resolve = resolveName,
): Promise<readonly string[]> {
  if (canonicalIp(host) !== undefined && mayConnectTo(host, allowedNetworks)) return [host]
  const addresses = await resolve(host).catch((error: unknown) => {
    const sentence = `The name ${host} cannot be resolved. Check the address of the repository, or try again later`
    throw new SourceError('unreachable', sentence, { cause: error })
  })
  const refused = isAllowedByName(host, allowedNetworks)
    ? undefined
    : addresses.find((address) => !mayConnectTo(address, allowedNetworks))
  if (refused === undefined) return addresses
  throw new SourceError(
    'address_not_allowed',
    `${host} leads to ${refused}, which is in a private network; an administrator can allow the network in SHIPWAY_ALLOWED_NETWORKS`,
  )
}

async function resolveName(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
