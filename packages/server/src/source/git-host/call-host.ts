// One request to the API of a git host: to a checked address, without following redirects.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseBoundedJson } from '@shipway/rules/bounded-json'
import { retryAfterMs } from '../../domain/retry-after.ts'
import { lookupAmong } from '../../network/checked-lookup.ts'
import type { Resolve } from '../../network/resolve-allowed.ts'
import { resolveGitHost } from '../resolve-repository-host.ts'
import type { HostCall } from './dialect.ts'

/** The git host responded with an error status. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused'
  readonly status: number
  /** The pause that the git host asks for; 0 if it asks for none. */
  readonly retryAfterMs: number

  constructor(status: number, what: string, wantedPauseMs = 0) {
    super(`${what} was answered with ${status}`)
    this.status = status
    this.retryAfterMs = wantedPauseMs
  }
}

type HostCallOptions = {
  readonly headers: Readonly<Record<string, string>>
  readonly allowedNetworks: readonly string[]
  readonly resolve?: Resolve
  readonly signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 15_000
const MOST_BYTES = 10 * 1024 * 1024
/** A hundred pull requests have some forty thousand. */
const JSON_LIMITS = { values: 200_000, depth: 64 } as const

/** Returns the parsed JSON of the response. */
export async function callHost(base: string, call: HostCall, options: HostCallOptions): Promise<unknown> {
  const url = new URL(`${base}${call.path}`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const [address] = await resolveGitHost(host, options)
  const { status, text, retryAfter } = await send(url, call, { ...options, address })
  if (status < 200 || status > 299)
    throw new HostRefused(status, `${call.method} ${url.pathname}`, retryAfterMs(retryAfter, Date.now()))
  return text === '' ? undefined : parseBoundedJson(text, JSON_LIMITS)
}

type HostAnswer = { readonly status: number; readonly text: string; readonly retryAfter: unknown }

function send(
  url: URL,
  { method, body }: HostCall,
  options: HostCallOptions & { readonly address: string },
): Promise<HostAnswer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(options.signal ? [options.signal] : [])]
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
      method,
      lookup: lookupAmong([options.address]),
      agent: false,
      signal: AbortSignal.any(signals),
      headers: {
        ...options.headers,
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
      response.on('end', () => {
        const retryAfter = response.headers['retry-after']
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), retryAfter })
      })
      response.on('error', reject)
    })
    // After a switch to another protocol there is no response, and Node closes the request without an error.
    request.on('close', () => reject(new Error('The connection was closed without an answer')))
    request.end(payload)
  })
}
