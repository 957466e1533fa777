// One request to the API of a git host: to a checked address, without following redirects.
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseBoundedJson } from '@shipway/rules/bounded-json'
import { retryAfterMs } from '../../domain/retry-after.ts'
import { lookupAmong } from '../../network/checked-lookup.ts'
import type { Resolve } from '../../network/resolve-allowed.ts'
import { resolveGitHost } from '../resolve-repository-host.ts'
import type { HostCall } from './api-dialect.ts'

/** The git host responded with an error status. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused'
  readonly status: number
  /** How long the git host asks to wait before the next call; 0 if it does not ask. */
  readonly retryAfterMs: number

  constructor(status: number, what: string, retryAfterMs = 0) {
    super(`${what} was answered with ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

type HostCallOptions = {
  readonly headers: Readonly<Record<string, string>>
  readonly allowedNetworks: readonly string[]
  readonly resolve?: Resolve
  readonly signal?: AbortSignal | undefined
  /** Certificates of authorities, as PEM, in place of those of Node. */
  readonly authorities?: string | undefined
}

const TIMEOUT_MS = 15_000
const MOST_BYTES = 10 * 1024 * 1024
/** Of the text of a refusal that is searched for its reason. */
const MOST_REASON = 2_000
const MINUTE_MS = 60_000
/** A hundred pull requests have some forty thousand. */
const JSON_LIMITS = { values: 200_000, depth: 64 } as const

/** Returns the parsed JSON of the response, or its text if the call accepts another form. */
export async function callHost(base: string, call: HostCall, options: HostCallOptions): Promise<unknown> {
  const url = new URL(`${base}${call.path}`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const [address] = await resolveGitHost(host, options)
  const { status, text, headers } = await send(url, call, { ...options, address })
  if (status < 200 || status > 299) {
    const waitMs = askedToWaitMs(headers) || limitedMs(status, text)
    throw new HostRefused(status, `${call.method} ${url.pathname}`, waitMs)
  }
  if (call.accept !== undefined) return text
  return text === '' ? undefined : parseAnswer(text)
}

/** The error of the parser is not passed on as a cause: it quotes the text, which may hold a token. */
function parseAnswer(text: string): unknown {
  try {
    return parseBoundedJson(text, JSON_LIMITS)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Error('The git host gave an answer that is not JSON')
  }
}

/** `Retry-After`, or the end of a rate limit that is used up, as GitHub reports it. */
function askedToWaitMs(headers: IncomingHttpHeaders): number {
  const now = Date.now()
  const asked = retryAfterMs(headers['retry-after'], now)
  if (asked > 0 || headers['x-ratelimit-remaining'] !== '0') return asked
  const resetMs = Number(headers['x-ratelimit-reset']) * 1000
  return Number.isSafeInteger(resetMs) ? retryAfterMs(new Date(resetMs).toUTCString(), now) : 0
}

/** GitHub says of some limits in the text alone that they were met, and asks in its documentation for a minute then. */
const limitedMs = (status: number, text: string): number =>
  status === 403 && /rate limit|abuse detection/i.test(text.slice(0, MOST_REASON)) ? MINUTE_MS : 0

type HostAnswer = { readonly status: number; readonly text: string; readonly headers: IncomingHttpHeaders }

function send(
  url: URL,
  { method, body, accept }: HostCall,
  options: HostCallOptions & { readonly address: string },
): Promise<HostAnswer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(options.signal ? [options.signal] : [])]
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
      method,
      lookup: lookupAmong([options.address]),
      agent: false,
      ca: options.authorities,
      signal: AbortSignal.any(signals),
      headers: {
        ...options.headers,
        ...(accept !== undefined && { accept }),
        'user-agent': 'shipway',
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
      },
    })
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MOST_BYTES) request.destroy(new Error('The answer is too long'))
        else chunks.push(chunk)
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      )
      response.on('error', reject)
    })
    // After a switch to another protocol there is no response, and Node closes the request without an error.
    request.on('close', () => reject(new Error('The connection was closed without an answer')))
    request.end(payload)
  })
}
