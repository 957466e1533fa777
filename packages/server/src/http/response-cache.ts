// Gives an answer again as it was, byte for byte, as long as no record has changed: most reading of lists meets nothing new.
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

/** What a request asks for, and of which state of the records. */
export type Wanted = { readonly key: string; readonly version: string }

/** Enough for the pages that people keep open; what is larger or more is answered anew each time. */
const MOST_ANSWERS = 200
const MOST_BYTES = 256 * 1024
/** So that the use of a token or session is still noted every other minute at least. */
const MOST_AGE_MS = 60_000

/**
 * Only for answers that depend on nothing but the records, the caller and the address. Who the caller is and what they may see
 * stands in the records too, so the same token or session is the same caller until a record changes or it ends by itself. One change
 * of any record ends all that was kept: that is coarse, and it cannot be wrong.
 */
export class ResponseCache {
  readonly #ctx: Context
  #version: string | undefined
  readonly #answers = new Map<string, CachedResponse>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /**
   * Taken before anything else is read: a change that happens while an answer is made leaves that answer behind. Undefined for what is
   * never kept, and need not wait for it.
   */
  async wanted(request: FastifyRequest): Promise<Wanted | undefined> {
    const caller = request.method === 'GET' ? callerOf(this.#ctx, request) : undefined
    const version = caller === undefined ? undefined : await this.#ctx.recordsVersion()
    if (caller === undefined || version === undefined) return undefined
    return { key: `${request.url}\n${caller}\n${request.headers['x-service-organization'] ?? ''}`, version }
  }

  find(wanted: Wanted | undefined): CachedResponse | undefined {
    if (wanted === undefined || wanted.version !== this.#version) return undefined
    const kept = this.#answers.get(wanted.key)
    return kept && this.#ctx.clock() < kept.goodUntil ? kept : undefined
  }

  keep(
    wanted: Wanted | undefined,
    actor: Actor | undefined,
    answer: Pick<CachedResponse, 'payload' | 'headers'>,
  ): void {
    if (wanted === undefined || !actor || answer.payload.length > MOST_BYTES) return
    if (wanted.version !== this.#version) this.#answers.clear()
    this.#version = wanted.version
    if (this.#answers.size >= MOST_ANSWERS && !this.#answers.has(wanted.key)) return
    const goodUntil = Math.min(actor.credential.expiresAt, this.#ctx.clock() + MOST_AGE_MS)
    this.#answers.set(wanted.key, { ...answer, actor, goodUntil })
  }
}

/**
 * Told apart exactly as authenticate.ts does, without a look into the database: a header, be it wrong, stands before a cookie, two cookies
 * are none, and the cookie counts for nothing in a request of a foreign page. A session stands here by the digest that its row has too.
 */
function callerOf(ctx: Context, request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization) return `token ${authorization}`
  if (isPartOfForeignPage(request)) return undefined
  const session = sessionTokenOf(ctx.config, request)
  return session && `session ${digestOf(session)}`
}
