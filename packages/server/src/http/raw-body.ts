// Takes a body as the bytes that came: its signature covers those, and nothing is parsed before that is checked.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodyTooLarge, BodyTooSlow } from '../domain/errors.ts'

/** As much as git hosts send at most. */
const MOST_MEGABYTES = 25
const MOST_SECONDS = 10

export function takeRawBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  // What is still on its way when the answer is out is not waited for.
  scope.addHook('onResponse', async ({ raw }) => {
    if (!raw.complete) raw.destroy()
  })
  scope.addContentTypeParser('*', (_: FastifyRequest, payload: IncomingMessage) => readAll(payload))
}

/** Stops at the limit and at the deadline, while it reads. */
async function readAll(payload: IncomingMessage): Promise<Buffer> {
  const most = MOST_MEGABYTES * 1024 * 1024
  if (Number(payload.headers['content-length'] ?? 0) > most) throw BodyTooLarge(MOST_MEGABYTES)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) reject(BodyTooLarge(MOST_MEGABYTES))
  }
  const end = (): void => resolve(Buffer.concat(chunks))
  payload.on('data', take).on('end', end).on('error', reject)
  const deadline = setTimeout(() => reject(BodyTooSlow(MOST_SECONDS)), MOST_SECONDS * 1000)
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    payload.off('data', take).off('end', end)
  }
}
