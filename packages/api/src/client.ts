// The typed client that the dashboard, the command line and the MCP tools share: one method per route of the contract,
// one that follows a log, and the live channel.
import { z } from 'zod'
import { answerNotUnderstood } from './api-error.ts'
import type { AnyRequest, ClientOptions, Resume, TextRange } from './client-request.ts'
import { type FollowRequest, followTaskLog, type LogEvent } from './follow-task-log.ts'
import { type Live, type LiveReading, openLive } from './live-client/open-live.ts'
import { openTerminal } from './live-client/open-terminal.ts'
import type { TerminalEnd, TerminalOrder } from './live-client/terminal-order.ts'
import { readOtherRelease, Unreadable } from './read-other-release.ts'
import type { Route, RouteRequest, RouteResult } from './route.ts'
import { type RouteName, type Routes, routes } from './routes.ts'
import { sendRequest } from './send-request.ts'

/** What any call takes beside the parts of its request. */
type CallOptions<R extends Route> = { readonly signal?: AbortSignal | undefined } & (R extends { idempotent: true }
  ? { readonly idempotencyKey?: string | undefined }
  : unknown) &
  (R extends { streamedBody: true } ? { readonly file: Blob } : unknown) &
  (R extends { versioned: true; method: 'PATCH' } ? { readonly ifMatch?: string | undefined } : unknown) &
  (R extends { ranged: true; answerType: 'application/octet-stream' }
    ? { readonly resume?: Resume | undefined }
    : unknown) &
  (R extends { ranged: true; answerType: 'text/plain' } ? { readonly range?: TextRange | undefined } : unknown)

/** A log is followed with `followTaskLog`: as one text it would come when the task has ended. */
type RequestParts<R extends Route> = R extends Routes['readTaskLog']
  ? Omit<RouteRequest<R>, 'query'> & { readonly query?: { readonly offset?: number | undefined } | undefined }
  : RouteRequest<R>

export type ClientRequest<R extends Route> = RequestParts<R> & CallOptions<R>

/** A file is handed on as it arrives; everything else is read to its end. */
export type ClientBody<R extends Route> = R extends { answerType: 'application/octet-stream' }
  ? ReadableStream<Uint8Array>
  : RouteResult<R>

export type RawAnswer<Body> = { readonly body: Body; readonly status: number; readonly headers: Headers }

/** The request may be left out where nothing in it is required. */
type Method<R extends Route, Result> =
  Record<never, never> extends ClientRequest<R>
    ? (request?: ClientRequest<R>) => Promise<Result>
    : (request: ClientRequest<R>) => Promise<Result>

export type RawClient = { readonly [N in RouteName]: Method<Routes[N], RawAnswer<ClientBody<Routes[N]>>> }
export type Client = { readonly [N in RouteName]: Method<Routes[N], ClientBody<Routes[N]>> } & {
  /** The same methods, answering with the status and the headers beside the body. */
  readonly raw: RawClient
  /** What the task prints, as it comes, and how it ended. */
  readonly followTaskLog: (request: FollowRequest) => AsyncGenerator<LogEvent, void, undefined>
  /** What happens to records and logs, as it happens. */
  readonly live: (reading?: LiveReading) => Live
  /** Runs a one-off command with a terminal or pipes, on the platform's own machine. */
  readonly openTerminal: (order: TerminalOrder) => Promise<TerminalEnd>
}

export function createClient(options: ClientOptions): Client {
  const entries = Object.entries<Route>(routes)
  const raw = entries.map(([name, route]) => [name, (request: AnyRequest = {}) => send(options, route, request)])
  const plain = entries.map(([name, route]) => [
    name,
    async (request: AnyRequest = {}) => (await send(options, route, request)).body,
  ])
  return {
    ...Object.fromEntries(plain),
    raw: Object.fromEntries(raw),
    followTaskLog: (request: FollowRequest) => followTaskLog(options, request),
    live: (reading: LiveReading = {}) => openLive(options, reading),
    openTerminal: (order: TerminalOrder) => openTerminal(options, order),
  } as Client
}

async function send(options: ClientOptions, route: Route, request: AnyRequest): Promise<RawAnswer<unknown>> {
  return sendRequest(options, { route, request }, async (response, host) => ({
    body: await readBody(options, { route, response, host }),
    status: response.status,
    headers: response.headers,
  }))
}

type Answer = { readonly route: Route; readonly response: Response; readonly host: string }

async function readBody(options: ClientOptions, { route, response, host }: Answer): Promise<unknown> {
  if (route.answerType === 'application/octet-stream') return response.body ?? new Blob([]).stream()
  const text = await response.text()
  if (!route.answer) return undefined
  if (route.answerType) return text
  try {
    const value = (options.parseJson ?? JSON.parse)(text)
    const parsed = options.readsOtherReleases
      ? { data: readOtherRelease(route.answer, value) }
      : readShape(route.answer, value)
    if (parsed) return parsed.data
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof Unreadable)) throw error
  }
  throw answerNotUnderstood(response, { host, isChange: route.method !== 'GET' })
}

/** A list is read up to the first item that is none: the complaints about 200,000 of them would take gigabytes. */
function readShape(shape: z.ZodType, value: unknown): { readonly data: unknown } | undefined {
  if (!(shape instanceof z.ZodArray) || !Array.isArray(value)) return given(shape.safeParse(value))
  const items: unknown[] = []
  for (const each of value) {
    const item = readShape(shape.element as z.ZodType, each)
    if (!item) return undefined
    items.push(item.data)
  }
  return { data: items }
}

const given = (parsed: z.ZodSafeParseResult<unknown>) => (parsed.success ? { data: parsed.data } : undefined)
