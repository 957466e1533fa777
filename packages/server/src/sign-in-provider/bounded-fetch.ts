/**
 * The part of `fetch` that openid-client needs, hardened against a hostile provider: at most ten seconds and 256 KiB, no redirects.
 * Addresses in the provider's metadata must not be in a private network, unless they are at the issuer's own host, which the
 * administrator has named.
 */
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { mayConnectTo } from '@shipway/api/values/ip-address'
import { lookupAmong } from '../network/checked-lookup.ts'
import { resolveAllowed } from '../network/resolve-allowed.ts'

const TIMEOUT_MS = 10_000
const MOST_BYTES = 256 * 1024

type FetchLimits = {
  readonly trustedHost: string
  readonly allowedNetworks: readonly string[]
  readonly timeoutMs?: number
}

type FetchOptions = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export function createBoundedFetch(reach: FetchLimits): (url: string, options: FetchOptions) => Promise<Response> {
  return async (text, options) => {
    const url = new URL(text)
    const signal = AbortSignal.timeout(reach.timeoutMs ?? TIMEOUT_MS)
    const address = await resolveProvider(url.hostname, reach)
    signal.throwIfAborted()
    return send(url, options, { address, signal })
  }
}

/** The administrator has named the issuer's host: it may be in a private network. */
async function resolveProvider(hostname: string, { trustedHost, allowedNetworks }: FetchLimits): Promise<string> {
  const [address] = await resolveAllowed(hostname.replace(/^\[|\]$/g, ''), {
    allowedNetworks,
    isAllowed: (address) => hostname === trustedHost || mayConnectTo(address, allowedNetworks),
    toError: ({ sentence, cause }) => new Error(sentence, { cause }),
  })
  return address
}

type Connection = { readonly address: string; readonly signal: AbortSignal }

function send(url: URL, { method, headers, body }: FetchOptions, { address, signal }: Connection): Promise<Response> {
  const payload = body === undefined || body === null ? undefined : String(body)
  const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
    method,
    lookup: lookupAmong([address]),
    agent: false,
    signal,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
    },
  })
  const answer = readAnswer(request)
  request.end(payload)
  return answer
}

function readAnswer(request: ClientRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MOST_BYTES) request.destroy(new Error(`The provider answered more than ${MOST_BYTES} bytes`))
        else chunks.push(chunk)
      })
      response.on('end', () => resolve(toResponse(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))))
      response.on('error', reject)
    })
    // After a switch to another protocol there is no response, and Node closes the request without an error.
    request.on('close', () => reject(new Error('The provider closed the connection without an answer')))
  })
}

type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

function toResponse(status: number, headers: AnswerHeaders, bytes: Uint8Array<ArrayBuffer>): Response {
  if (status < 200 || status > 599) throw new Error(`The provider answered with ${status}`)
  const isEmpty = status === 204 || status === 205 || status === 304
  const fields = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new Response(isEmpty ? null : bytes, { status, headers: fields })
}
