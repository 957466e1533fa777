// Gives an answer again as it was, byte for byte, as long as no record has changed: most reading of lists meets nothing new.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/people/actor.ts'

type KeptAnswer = {
  readonly payload: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly actor: Actor
  readonly goodUntil: number
}

/** Enough for the pages that people keep open; what is larger or more is answered anew each time. */
const MOST_ANSWERS = 200
const MOST_BYTES = 256 * 1024
/** So that the use of a token is still noted once a minute. */
const MOST_AGE_MS = 60_000

/**
 * Only for answers that depend on nothing but the records, the caller and the address. Who the caller is and what they may see
 * stands in the records too, so the same words in the Authorization header are the same caller until a record changes or the token
 * ends. One change of any record ends all that was kept: that is coarse, and it cannot be wrong.
 */
export class UnchangedAnswers {
  readonly #ctx: Context
  #version: string | undefined
  readonly #answers = new Map<string, KeptAnswer>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /**
   * Taken before anything else is read: a change that happens while an answer is made leaves that answer behind. Undefined for what is
   * never kept, and need not wait for it.
   */
  async version({ method, headers }: FastifyRequest): Promise<string | undefined> {
    return method === 'GET' && headers.authorization ? this.#ctx.recordsVersion() : undefined
  }

  find(version: string | undefined, request: FastifyRequest): KeptAnswer | undefined {
    if (version === undefined || version !== this.#version) return undefined
    const kept = this.#answers.get(keyOf(request))
    return kept && this.#ctx.clock() < kept.goodUntil ? kept : undefined
  }

  keep(version: string | undefined, request: FastifyRequest, answer: Pick<KeptAnswer, 'payload' | 'headers'>): void {
    const { actor } = request
    if (version === undefined || !actor || actor.credential.kind === 'session' || answer.payload.length > MOST_BYTES)
      return
    if (version !== this.#version) this.#answers.clear()
    this.#version = version
    if (this.#answers.size >= MOST_ANSWERS) return
    const goodUntil = Math.min(actor.credential.expiresAt, this.#ctx.clock() + MOST_AGE_MS)
    this.#answers.set(keyOf(request), { ...answer, actor, goodUntil })
  }
}

/** All that an answer can depend on beside the records. A cookie never gets here. */
function keyOf({ method, url, headers }: FastifyRequest): string {
  return `${method} ${url}\n${headers.authorization ?? ''}\n${headers['x-service-organization'] ?? ''}`
}
