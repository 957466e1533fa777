// The addresses of a receiver's host, if the platform may connect to every one of them.
import { Resolver } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { canonicalIp, mayConnectTo } from '@shipway/api/values/ip-address'
import { isAllowedByName } from '@shipway/api/values/reachable-host'
import { ReceiverFault } from './receiver-fault.ts'

/** The addresses of a name, as DNS has them now. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

type Options = {
  readonly allowedNetworks: readonly string[]
  readonly signal: AbortSignal
  readonly resolve?: Resolve | undefined
}

/** A name can resolve differently at any moment, so the caller connects to exactly these addresses. */
export async function resolveReceiver(
  host: string,
  { allowedNetworks, signal, resolve = askDns }: Options,
): Promise<readonly string[]> {
  const isNamed = isAllowedByName(host, allowedNetworks)
  const addresses = await findAddresses(host, signal, isNamed ? askSystem : resolve)
  if (addresses.length === 0)
    throw new ReceiverFault(`The name ${host} has no address. Check the address of the webhook`)
  const refused = isNamed ? undefined : addresses.find((address) => !mayConnectTo(address, allowedNetworks))
  if (refused === undefined) return addresses
  throw new ReceiverFault(
    `${host} leads to ${refused}, which is in a private network; an administrator can allow the network in SHIPWAY_ALLOWED_NETWORKS`,
  )
}

async function findAddresses(host: string, signal: AbortSignal, resolve: Resolve): Promise<readonly string[]> {
  return canonicalIp(host) === undefined ? resolve(host, signal) : [host]
}

/** Names that an administrator allows may come from the machine's own hosts file. */
const askSystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    throw unresolved(host, error)
  })
  return found.map(({ address }) => address)
}

/**
 * Without the system's resolver: that one keeps a thread busy for as long as a name server likes, and there are few threads, which files
 * are read with too.
 */
const askDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const asked = await Promise.allSettled([
      query((done) => resolver.resolve4(host, done)),
      query((done) => resolver.resolve6(host, done)),
    ])
    const addresses = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const [failed] = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    if (addresses.length === 0) throw unresolved(host, failed)
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const query = (ask: (done: (error: Error | null, addresses: string[]) => void) => void): Promise<string[]> =>
  new Promise((resolve, reject) => ask((error, addresses) => (error ? reject(error) : resolve(addresses))))

const unresolved = (host: string, cause: unknown): ReceiverFault =>
  new ReceiverFault(`The name ${host} cannot be resolved. Check the address of the webhook`, { cause })
