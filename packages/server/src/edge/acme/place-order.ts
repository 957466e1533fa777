// One order by RFC 8555: the order, its HTTP-01 challenge, the certificate request, the certificate.
import { setTimeout as pause } from 'node:timers/promises'
import type { Authorization, Client, Order } from 'acme-client'
import type { Secret } from '../../secrets/secret.ts'

/** Why the authority issued no certificate, in its own words if it gave any. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused'
}

type OrderRequest = {
  readonly domain: string
  readonly key: Secret
  readonly email: string | undefined
  readonly signal: AbortSignal
}

/** Returns the chain in PEM. */
export async function placeOrder(client: Client, { domain, key, email, signal }: OrderRequest): Promise<string> {
  // Setting a project's tls to automatic accepts the terms for the installation. An existing account is found by its key.
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
  })
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: domain }] })
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status !== 'valid') await completeChallenge(client, { order, authorization, signal })
  }
  const { crypto } = await import('acme-client')
  const [, csr] = await crypto.createCsr({ altNames: [domain] }, key.reveal())
  return client.getCertificate(await client.finalizeOrder(order, csr))
}

type ChallengedOrder = { readonly order: Order; readonly authorization: Authorization; readonly signal: AbortSignal }

/** The edge answers the challenge. This only tells the authority that it is ready, and waits for the result. */
async function completeChallenge(client: Client, { order, authorization, signal }: ChallengedOrder): Promise<void> {
  const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
  if (!challenge) throw new OrderRefused('it offers no challenge over HTTP for this name')
  await client.completeChallenge(challenge)
  let complaints = 0
  for (const delay of DELAYS_MS) {
    await pause(delay, undefined, { signal })
    const now = (await client.getAuthorizations(order)).find(({ url }) => url === authorization.url)
    if (now?.status === 'valid') return
    const complaint = complaintOf(now)
    if (now?.status !== 'pending') throw new OrderRefused(complaint ?? `the name is ${now?.status ?? 'unknown'} there`)
    // An authority that will retry reports errors while the challenge is pending. Our next order comes soon enough.
    if (complaint !== undefined && ++complaints === MOST_COMPLAINTS) throw new OrderRefused(complaint)
  }
  throw new OrderRefused('it did not check the name within a minute')
}

const DELAYS_MS = [100, 250, 500, 1_000, 2_000, ...Array.from({ length: 11 }, () => 5_000)]
const MOST_COMPLAINTS = 3

function complaintOf(authorization: Authorization | undefined): string | undefined {
  const error = authorization?.challenges.find(({ type }) => type === 'http-01')?.error
  if (error === undefined) return undefined
  return 'detail' in error && typeof error.detail === 'string' ? error.detail : 'it could not validate the name'
}
