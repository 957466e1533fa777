// Answers a request to follow the output of a task: where to begin, and whether one more is allowed.
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { InvalidField, RangeNotSatisfiable } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findTask, type Task } from '../../store/tasks/tasks.ts'
import { signInAgain } from '../authenticate.ts'
import type { Answer } from '../handler.ts'
import { followLog } from './follow-log.ts'

type FollowRequest = {
  readonly actor: Actor
  readonly task: Pick<Task, 'id' | 'outputBytes'>
  readonly offset: number | undefined
  readonly request: FastifyRequest
}

export function answerFollowing(ctx: Context, { actor, task, offset, request }: FollowRequest): Answer<'readTaskLog'> {
  // A browser that comes back repeats the address with its old offset, and says in the header how far it got.
  const from = lastEventId(request) ?? offset ?? 0
  if (from > task.outputBytes) throw RangeNotSatisfiable(task.outputBytes)
  const findTaskNow = async () => {
    const signIn = await signInAgain(ctx, request)
    return signIn && findTask(ctx.db, signIn.actor, task.id)
  }
  const open = () => followLog({ output: request.server.outputs.of(task.id), from, findTask: findTaskNow })
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
