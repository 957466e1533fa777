// Addresses of a webhook receiver's host, if the platform may connect to every one of them.
import { Resolver } from 'node:dns'
import { isAllowedByName } from '@shipway/api/values/reachable-host'
import { type Resolve, resolveAllowed, resolveBySystem } from '../network/resolve-allowed.ts'
import { ReceiverFault } from './receiver-fault.ts'

type Options = {
  readonly allowedNetworks: readonly string[]
  readonly signal: AbortSignal
  readonly resolve?: Resolve | undefined
}

export function resolveReceiver(
  host: string,
  { allowedNetworks, signal, resolve = (name) => askDns(name, signal) }: Options,
): Promise<readonly string[]> {
  return resolveAllowed(host, {
    allowedNetworks,
    // Names that an administrator allows may stand in the machine's own /etc/hosts.
    resolve: isAllowedByName(host, allowedNetworks) ? resolveBySystem : resolve,
    toError: ({ code, sentence, cause }) =>
      new ReceiverFault(code === 'not_allowed' ? sentence : `${sentence}. Check the address of the webhook`, { cause }),
  })
}

/**
 * Avoids the system's resolver, which blocks one of Node's few threads for as long as a slow name server takes. Reading files needs
 * the same threads.
 */
async function askDns(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([
      query((done) => resolver.resolve4(host, done)),
      query((done) => resolver.resolve6(host, done)),
    ])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [failure] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    if (addresses.length === 0) throw failure
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const query = (ask: (done: (error: Error | null, addresses: string[]) => void) => void): Promise<string[]> =>
  new Promise((resolve, reject) => ask((error, addresses) => (error ? reject(error) : resolve(addresses))))
