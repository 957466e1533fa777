// Addresses of a server, checked before every connection: ssh connects to these and does not resolve the name itself.
import { isAllowedServerIp, type ServerAddress, serverAddressFault } from '../../domain/server-address.ts'
import { type AddressFault, type Resolve, resolveAllowed, resolveBySystem } from '../../network/resolve-allowed.ts'
import { withDeadline } from '../../scheduling/deadline.ts'
import { ServerUnreachable } from '../host.ts'
import { connectFailure } from './ssh-failure.ts'

type ResolveOptions = { readonly allowedNetworks: readonly string[]; readonly lookup?: Resolve }

/** At least one, and the platform may connect to every one of them; else ServerUnreachable. */
export async function resolveServer(
  server: ServerAddress,
  { allowedNetworks, lookup = resolveBySystem }: ResolveOptions,
): Promise<readonly string[]> {
  const { hostname, mayBePrivate } = server
  const fault = serverAddressFault(hostname, { allowedNetworks, mayBePrivate })
  if (fault) throw new ServerUnreachable('connect', `The server ${server.name} cannot be used: ${fault.detail}.`)
  return resolveAllowed(hostname, {
    allowedNetworks,
    resolve: (name) => soon(lookup(name)),
    isAllowed: (address) => isAllowedServerIp(address, { allowedNetworks, mayBePrivate }),
    toError: ({ code, cause }) => connectFailure(server, REASONS[code], { cause }),
  })
}

const REASONS: Readonly<Record<AddressFault['code'], string>> = {
  unresolved: 'its name cannot be resolved',
  no_address: 'its name has no address',
  not_allowed: 'its name leads to an address that the platform may not connect to',
}

const timeoutMs = 4_000

/** The system's resolver cannot be canceled, so the caller stops waiting for it. */
async function soon<T>(found: Promise<T>): Promise<T> {
  return withDeadline(found, timeoutMs, () => {
    throw new Error('No answer to the name within four seconds')
  })
}
