// The raw output of a task: its bytes as they were printed, whole or in part, from the store piece by piece.
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import { InvalidField, RangeNotSatisfiable } from '../../domain/errors.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { listOutput } from '../../store/tasks/outputs.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import type { Answer } from '../handler.ts'
import { type ByteRange, readRange } from './byte-range.ts'
import { streamPieces } from './piece-stream.ts'

type LogRequest = {
  readonly task: Pick<Task, 'id' | 'outputBytes'>
  readonly offset: number | undefined
  readonly request: FastifyRequest
}

export function answerTaskLog(
  ctx: Pick<Context, 'db'>,
  { task: { id: taskId, outputBytes: length }, offset, request }: LogRequest,
): Answer<'readTaskLog'> {
  const header = rangeHeader(request)
  if (header !== undefined && offset !== undefined) {
    throw InvalidField('/query/offset', 'offset_and_range', 'Send Range or offset, not both')
  }
  const range = readRange(header, length)
  // A reader that has everything asks from the end on. That is an empty answer, not an error.
  if (range === 'none' || (offset ?? 0) > length) throw RangeNotSatisfiable(length)
  const { from, to } = range ?? { from: offset ?? 0, to: length }
  return {
    headers: {
      'accept-ranges': 'bytes',
      'content-length': String(to - from),
      ...(range && { 'content-range': `bytes ${from}-${to - 1}/${length}` }),
    },
    stream: {
      status: range ? 206 : 200,
      type: 'text/plain; charset=utf-8',
      bytes: streamPieces(() =>
        readPieces(ctx.db, taskId, request.method === 'HEAD' ? { from, to: from } : { from, to }),
      ),
    },
  }
}

/** Only a GET has ranges; and there is no ETag that an If-Range could name, so that it never holds. */
function rangeHeader({ method, headers }: FastifyRequest): string | undefined {
  return method === 'GET' && headers['if-range'] === undefined ? headers.range : undefined
}

const PIECE_BYTES = 64 * 1024

async function* readPieces(db: Kysely<Tables>, taskId: number, { from, to }: ByteRange): AsyncGenerator<Buffer, void> {
  for (let place = from; place < to; ) {
    const piece = await listOutput(db, taskId, { from: place, most: Math.min(PIECE_BYTES, to - place) })
    // Content-Length was sent: breaking the connection is better than an answer that looks complete.
    if (piece.length === 0) throw new Error(`The output of task ${taskId} went away at byte ${place}`)
    place += piece.length
    yield piece
  }
}
