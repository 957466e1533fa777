// Takes a body as the bytes that came: whole, for a signature that is checked before anything is parsed, or in pieces.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodyBrokenOff, BodyTooSlow } from '../domain/errors.ts'

const MOST_SECONDS = 10

/** Called with the size of each piece and the announced total; throws where that is too much. */
export type Intake = (bytes: { readonly arrived: number; readonly inAll: number }) => void

export function takeRawBody(scope: FastifyInstance, intakeOf: (request: FastifyRequest) => Intake): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readAll(payload, intakeOf(request)),
  )
}

/** Stops at the limit and at the deadline, while it reads. */
async function readAll(payload: IncomingMessage, take: Intake): Promise<Buffer> {
  take({ arrived: 0, inAll: Number(payload.headers['content-length'] ?? 0) })
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  const keep = (chunk: Buffer): void => {
    length += chunk.length
    try {
      take({ arrived: chunk.length, inAll: length })
      chunks.push(chunk)
    } catch (error) {
      reject(error)
    }
  }
  const end = (): void => resolve(Buffer.concat(chunks))
  payload
    .on('data', keep)
    .on('end', end)
    .on('error', (error) => reject(BodyBrokenOff(error)))
  const deadline = setTimeout(() => reject(BodyTooSlow(MOST_SECONDS)), MOST_SECONDS * 1000)
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    payload.off('data', keep).off('end', end)
  }
}

/** For a body that is not kept in memory. An answer can still be sent after its reader has stopped in the middle. */
export async function* readPieces(payload: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  try {
    yield* payload.iterator({ destroyOnReturn: false })
  } catch (error) {
    throw BodyBrokenOff(error)
  }
}
