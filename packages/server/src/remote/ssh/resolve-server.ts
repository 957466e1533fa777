// The addresses of a server, judged before anything is sent there: ssh is told to use these and does not resolve the name itself.
import { lookup as lookupName } from 'node:dns/promises'
import { canonicalIp } from '@shipway/api/values/ip-address'
import { isAllowedByName } from '@shipway/api/values/reachable-host'
import { mayServerBeAt, type ServerAddress, serverAddressFault } from '../../domain/server-address.ts'
import { withDeadline } from '../../scheduling/deadline.ts'
import { ServerUnreachable } from '../host.ts'
import { connectFailure } from './ssh-failure.ts'

/** The addresses of a name, as DNS has them now. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

type ResolveOptions = { readonly allowedNetworks: readonly string[]; readonly lookup?: Lookup }

/** At least one, and the platform may connect to every one of them; else ServerUnreachable. */
export async function resolveServer(
  server: ServerAddress,
  { allowedNetworks, lookup = resolveName }: ResolveOptions,
): Promise<readonly string[]> {
  const { hostname, mayBePrivate } = server
  const fault = serverAddressFault(hostname, { allowedNetworks, mayBePrivate })
  if (fault) throw new ServerUnreachable('connect', `The server ${server.name} cannot be used: ${fault.detail}.`)
  if (canonicalIp(hostname) !== undefined) return [hostname]
  const addresses = await soon(lookup(hostname)).catch((error: unknown) => {
    throw connectFailure(server, 'its name cannot be resolved', { cause: error })
  })
  if (addresses.length === 0) throw connectFailure(server, 'its name has no address')
  const isAllowed = (address: string): boolean => mayServerBeAt(address, { allowedNetworks, mayBePrivate })
  if (isAllowedByName(hostname, allowedNetworks) || addresses.every(isAllowed)) return addresses
  throw connectFailure(server, 'its name leads to an address that the platform may not connect to')
}

async function resolveName(hostname: string): Promise<string[]> {
  return (await lookupName(hostname, { all: true })).map(({ address }) => address)
}

const patienceMs = 4_000

/** The system's resolver cannot be stopped; nobody waits for it longer than this. */
async function soon<T>(found: Promise<T>): Promise<T> {
  return withDeadline(found, patienceMs, () => {
    throw new Error('No answer to the name within four seconds')
  })
}
