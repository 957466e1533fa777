// A request of the client as an address, headers and a body. The token stands in a header and nowhere else.
import type { Route } from './route.ts'

export type ClientOptions = {
  /** Where the platform is, such as `https://ship.example.com`. */
  readonly baseUrl: string
  /** Asked before each request, so that a token can be refreshed. Without one, the browser's session cookie counts. */
  readonly token?: (() => string | undefined | Promise<string | undefined>) | undefined
  /** Narrows every call to one organization. */
  readonly organization?: number | undefined
  readonly fetch?: typeof fetch
  readonly webSocket?: typeof WebSocket
  /** Parses the JSON of an answer; default `JSON.parse`. For clients that do not trust the platform not to fill the memory. */
  readonly parseJson?: ((text: string) => unknown) | undefined
  /** Reads answers of older and newer platforms. The dashboard has no need: it comes from the platform that it calls. */
  readonly readsOtherReleases?: boolean | undefined
  /** Browsers keep their own. */
  readonly userAgent?: string | undefined
}

/** A request of any route, once the types have done their work. */
export type AnyRequest = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  /** The body of a route that takes a file. */
  readonly file?: Blob | undefined
  readonly idempotencyKey?: string | undefined
  readonly ifMatch?: string | undefined
  readonly resume?: Resume | undefined
  readonly range?: TextRange | undefined
  readonly signal?: AbortSignal | undefined
}

/** The rest of a file from that byte on, as long as it is the same file; else the whole of it comes, with 200. */
export type Resume = { readonly from: number; readonly etag: string }

/** A part of a text: its last bytes, or those from `from` up to but not including `to`. The answer is 206, and `Content-Range` says which. */
export type TextRange = { readonly last: number } | { readonly from: number; readonly to: number }

export function addressOf(baseUrl: string, route: Route, { params, query }: AnyRequest): URL {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, params?.[name]))
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

export async function headersOf(options: ClientOptions, request: AnyRequest): Promise<Headers> {
  const headers = new Headers({ accept: 'application/json, application/problem+json, */*;q=0.5' })
  const token = await tokenOf(options)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (options.organization !== undefined) headers.set('x-service-organization', String(options.organization))
  if (options.userAgent !== undefined) headers.set('user-agent', options.userAgent)
  if (request.body !== undefined) headers.set('content-type', 'application/json')
  if (request.file) headers.set('content-type', 'application/octet-stream')
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey)
  if (request.ifMatch !== undefined) headers.set('if-match', request.ifMatch)
  if (request.resume) {
    headers.set('range', `bytes=${request.resume.from}-`)
    headers.set('if-range', request.resume.etag)
  }
  if (request.range) headers.set('range', rangeOf(request.range))
  return headers
}

const rangeOf = (range: TextRange): string =>
  'last' in range ? `bytes=-${range.last}` : `bytes=${range.from}-${range.to - 1}`

/** As it is now. A token that no header can hold is refused here: the platform's own complaint would repeat its value. */
export async function tokenOf(options: ClientOptions): Promise<string | undefined> {
  const token = await options.token?.()
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token
  throw new RangeError('The token is empty or has characters that no token has')
}

export function bodyOf({ body, file }: AnyRequest): { body?: string | Blob } {
  if (file) return { body: file }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** Dots would climb to another endpoint even when they are encoded, and nothing at all would name the list. */
function segmentOf(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (text === '' || text === '.' || text === '..') throw new RangeError(`${name} cannot be ${JSON.stringify(text)}`)
  return encodeURIComponent(text)
}
