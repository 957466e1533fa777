// Answers a request to follow the output of a task: where to begin, and whether one more is allowed.
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'
import { InvalidField, RangeNotSatisfiable } from '../domain/errors.ts'
import { findOutputLength } from '../store/outputs.ts'
import { authenticateAgain } from './authenticate.ts'
import { followLog } from './follow-log.ts'
import type { Answer } from './handler.ts'

type Wanted = {
  readonly actor: Actor
  readonly taskId: number
  readonly offset: number | undefined
  readonly request: FastifyRequest
}

export async function answerFollowing(
  ctx: Context,
  { actor, taskId, offset, request }: Wanted,
): Promise<Answer<'readTaskLog'>> {
  // A browser that comes back repeats the address with its old offset, and says in the header how far it got.
  const from = lastEventId(request) ?? offset ?? 0
  const length = await findOutputLength(ctx.db, taskId)
  if (from > length) throw RangeNotSatisfiable(length)
  const open = () => followLog(ctx, { actorNow: () => authenticateAgain(ctx, request), taskId, from })
  return {
    // Proxies that collect an answer before they hand it on would hold the events back.
    headers: { 'x-accel-buffering': 'no' },
    stream: {
      status: 200,
      type: 'text/event-stream; charset=utf-8',
      bytes: request.method === 'HEAD' ? Readable.from([]) : request.server.followers.add(actor.userId, open),
    },
  }
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const header = headers['last-event-id']
  if (header === undefined || header === '') return undefined
  if (typeof header === 'string' && /^[0-9]{1,15}$/.test(header)) return Number(header)
  throw InvalidField(
    '/headers/last-event-id',
    'invalid_offset',
    'Send the id of the last event, which is a byte offset',
  )
}
