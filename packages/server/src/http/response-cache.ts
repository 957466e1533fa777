/**
 * Sends a response again, byte for byte, while no record has changed: most requests for lists find nothing new.
 *
 * A response is cached under the number that the journal had before anything was read for it, and is valid while the journal still has
 * that number. This is safe for four reasons:
 *
 * - Every change of a record that a cacheable response shows adds to the journal in its own transaction (`progress/change-records.ts`),
 *   and so does every change of a sign-in, a token or a role. Responses that show anything else are not cacheable: deliveries that wait
 *   for their outcome, the queue of mails, how long a running task has taken.
 * - The journal's number is one row (`journal_end`) that a change updates last and holds until its commit. So numbers become visible in
 *   their order: a reader that sees number 7 also sees changes 1 to 7, with several platform processes on one PostgreSQL too. (Numbers
 *   of a sequence would not do: a transaction with a lower number may commit later.) The live channel relies on the same row.
 * - The number is read first. A change that is committed while the response is made gets a higher number, so the response, which may
 *   show the change or not, is never served to a request that comes after it. A client that knows of a change, by its own write or by
 *   a live event, sends its request after that commit.
 * - A number that a rolled-back transaction used is never seen: SQLite is not asked while a transaction is open, PostgreSQL hides it.
 *
 * One change ends all cached responses. That is coarse, and it cannot be wrong.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/people/actor.ts'
import { digestOf } from '../secrets/token.ts'
import { isPartOfForeignPage } from './origin.ts'
import { sessionTokenOf } from './session-cookie.ts'

type CachedResponse = {
  readonly payload: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly actor: Actor
  readonly goodUntil: number
}

/** What a request asks for, and the journal's number when it came. */
export type CacheKey = { readonly request: string; readonly version: string }

/** Enough for the pages that people keep open. */
const MOST_RESPONSES = 200
const MOST_BYTES = 256 * 1024
/** So that the use of a token or session is still recorded every other minute at least. */
const MOST_AGE_MS = 60_000

export class ResponseCache {
  readonly #ctx: Context
  #version: string | undefined
  readonly #responses = new Map<string, CachedResponse>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Must be called before anything else is read for the request. Undefined for requests that are never cached. */
  async keyOf(request: FastifyRequest): Promise<CacheKey | undefined> {
    const caller = request.method === 'GET' ? callerOf(this.#ctx, request) : undefined
    const version = caller === undefined ? undefined : await this.#ctx.recordsVersion()
    if (version === undefined) return undefined
    return { request: `${request.url}\n${caller}\n${request.headers['x-service-organization'] ?? ''}`, version }
  }

  find(key: CacheKey | undefined): CachedResponse | undefined {
    if (key === undefined || key.version !== this.#version) return undefined
    const cached = this.#responses.get(key.request)
    return cached && this.#ctx.clock() < cached.goodUntil ? cached : undefined
  }

  store(
    key: CacheKey | undefined,
    actor: Actor | undefined,
    response: Pick<CachedResponse, 'payload' | 'headers'>,
  ): void {
    if (key === undefined || !actor || response.payload.length > MOST_BYTES) return
    if (key.version !== this.#version) this.#responses.clear()
    this.#version = key.version
    if (this.#responses.size >= MOST_RESPONSES && !this.#responses.has(key.request)) return
    const goodUntil = Math.min(actor.credential.expiresAt, this.#ctx.clock() + MOST_AGE_MS)
    this.#responses.set(key.request, { ...response, actor, goodUntil })
  }
}

/**
 * Names the caller by the credential that authenticate.ts would use, without asking the database: a header, even a wrong one, comes before
 * a cookie, two cookies count as none, and a cookie in a request of a foreign page is ignored. A session is named by its digest.
 */
function callerOf(ctx: Context, request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization) return `token ${authorization}`
  if (isPartOfForeignPage(request)) return undefined
  const session = sessionTokenOf(ctx.config, request)
  return session && `session ${digestOf(session)}`
}
