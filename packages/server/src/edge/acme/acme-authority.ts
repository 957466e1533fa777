// Orders TLS certificates from an ACME authority (RFC 8555) with HTTP-01. The edge answers the challenges without state.

import { safeText } from '@shipway/rules/safe-text'
import type { axios as Axios, Client } from 'acme-client'
import { covers } from '../../domain/certificate.ts'
import { retryAfterMs } from '../../domain/retry-after.ts'
import type { Secret } from '../../secrets/secret.ts'
import { type CheckedCertificate, checkCertificate } from '../certificates/check-certificate.ts'
import { generateEcdsaKey } from './account-key.ts'
import { createAcmeAgent } from './acme-agent.ts'
import { OrderRefused, placeOrder } from './place-order.ts'

export type AcmeAuthority = {
  /** One at a time. Rejects with an OrderFailed, after about a minute at the latest. */
  orderCertificate(domain: string, signal: AbortSignal): Promise<CheckedCertificate>
}

export type AcmeAuthorityOptions = {
  readonly directory: string
  readonly email: string | undefined
  /** PEM file of additional trusted roots. */
  readonly caFile: string | undefined
  readonly accountKey: Secret
  readonly clock: () => number
}

export class OrderFailed extends Error {
  override readonly name = 'OrderFailed'
  /** The authority did not answer: other orders would fail now, too. */
  readonly isAuthorityAway: boolean
  /** The authority's Retry-After. */
  readonly retryAfterMs: number

  constructor(sentence: string, more: { isAuthorityAway?: boolean; retryAfterMs?: number; cause?: unknown } = {}) {
    super(sentence, { cause: more.cause })
    this.isAuthorityAway = more.isAuthorityAway ?? false
    this.retryAfterMs = more.retryAfterMs ?? 0
  }
}

export function createAcmeAuthority(options: AcmeAuthorityOptions): AcmeAuthority {
  const agent = createAcmeAgent(options.caFile)
  let library: ReturnType<typeof openLibrary> | undefined
  let client: Client | undefined
  return {
    orderCertificate: async (domain, signal) => {
      library ??= openLibrary(agent, options.clock)
      const { axios, newClient, heard } = await library
      // Also limits responses that never end, which the timeout of a request does not always notice.
      Object.assign(axios.defaults, { signal: AbortSignal.any([signal, AbortSignal.timeout(ORDER_MS)]) })
      agent.forget()
      heard.forget()
      client ??= newClient(options)
      try {
        return await order(client, { domain, signal }, options)
      } catch (error) {
        // The account may have been deleted at the authority: the next order looks it up again.
        client = undefined
        throw explain(error, {
          directory: options.directory,
          lost: agent.lastError(),
          retryAfterMs: heard.retryAfterMs(),
        })
      }
    },
  }
}

/** Loaded with the first order: it takes a quarter of the platform's start, and many platforms never order. */
async function openLibrary(agent: ReturnType<typeof createAcmeAgent>, clock: () => number) {
  const { axios, Client } = await import('acme-client')
  // No retries here: an authority may ask to wait for an hour, and the order's record keeps that time.
  Object.assign(axios.defaults, { httpsAgent: agent, timeout: REQUEST_MS, maxContentLength: MOST_BYTES, proxy: false })
  Object.assign(axios.defaults, { acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 1 } })
  /** Polls from a quarter of a second to five seconds apart, for about a minute. */
  const polls = { backoffAttempts: 15, backoffMin: 250, backoffMax: 5_000 }
  return {
    axios,
    heard: listenToAnswers(axios, clock),
    newClient: ({ directory, accountKey }: AcmeAuthorityOptions): Client =>
      new Client({ directoryUrl: directory, accountKey: accountKey.reveal(), ...polls }),
  }
}

const REQUEST_MS = 30_000
const ORDER_MS = 180_000
const MOST_BYTES = 1024 * 1024

type DomainToCertify = { readonly domain: string; readonly signal: AbortSignal }

async function order(
  client: Client,
  { domain, signal }: DomainToCertify,
  { email, clock }: AcmeAuthorityOptions,
): Promise<CheckedCertificate> {
  const key = generateEcdsaKey()
  const { certificate, faults } = checkCertificate(
    await placeOrder(client, { domain, key, email, signal }),
    key,
    clock(),
  )
  if (!certificate) throw new OrderRefused(`what it sent cannot be used. ${faults[0]?.sentence ?? ''}`)
  if (!covers(certificate.names, domain)) throw new OrderRefused('what it sent is for another name')
  return certificate
}

type OrderContext = { readonly directory: string; readonly lost: string | undefined; readonly retryAfterMs: number }

function explain(error: unknown, { directory, lost, retryAfterMs }: OrderContext): OrderFailed {
  const name = new URL(directory).hostname
  // If there is no response at all, the client fails with a TypeError that hides the reason.
  if (error instanceof TypeError) {
    const sentence = `The certificate authority ${name} could not be reached: ${lost ?? 'no answer came in time'}`
    return new OrderFailed(sentence, { isAuthorityAway: true, cause: error })
  }
  const said = error instanceof Error ? safeText(error.message).trim().slice(0, 500) : ''
  return new OrderFailed(`The certificate authority ${name} refused: ${said || 'it gave no reason'}`, {
    retryAfterMs,
    cause: error,
  })
}

/** Remembers the longest Retry-After of error responses. */
function listenToAnswers(axios: typeof Axios, clock: () => number): { forget(): void; retryAfterMs(): number } {
  let longest = 0
  axios.interceptors.response.use((response) => {
    const asked = retryAfterMs(response.headers['retry-after'], clock())
    if (response.status >= 400) longest = Math.max(longest, asked)
    return response
  })
  return {
    forget: () => {
      longest = 0
    },
    retryAfterMs: () => longest,
  }
}
