// Gives an answer again as it was, byte for byte, as long as no record has changed: most reading of lists meets nothing new.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'

export type KeptAnswer = { readonly payload: Buffer; readonly headers: Readonly<Record<string, string>> }

/** Enough for the pages that people keep open; what is larger or more is answered anew each time. */
const MOST_ANSWERS = 200
const MOST_BYTES = 256 * 1024

/**
 * Only for answers that depend on nothing but the records, the caller's roles and the address. One change of any record ends
 * them all: that is coarse, and it cannot be wrong. On PostgreSQL the version is not known, so nothing is kept.
 */
export class UnchangedAnswers {
  readonly #ctx: Context
  #version: string | undefined
  readonly #answers = new Map<string, KeptAnswer>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Taken before the answer is made: a change that happens meanwhile leaves what was made behind. */
  version(): string | undefined {
    return this.#ctx.recordsVersion()
  }

  find(version: string | undefined, request: FastifyRequest): KeptAnswer | undefined {
    if (version === undefined || version !== this.#version || request.method !== 'GET' || !request.actor)
      return undefined
    return this.#answers.get(keyOf(request, request.actor))
  }

  keep(version: string | undefined, request: FastifyRequest, answer: KeptAnswer): void {
    if (version === undefined || !request.actor || answer.payload.length > MOST_BYTES) return
    if (version !== this.#version) this.#answers.clear()
    this.#version = version
    if (this.#answers.size < MOST_ANSWERS) this.#answers.set(keyOf(request, request.actor), answer)
  }
}

function keyOf(request: FastifyRequest, actor: Actor): string {
  const roles = [...actor.roles].map(([organizationId, role]) => `${organizationId}=${role}`).join()
  return `${actor.userId} ${roles} ${request.url}`
}
