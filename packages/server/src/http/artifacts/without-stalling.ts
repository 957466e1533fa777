// Ends a download whose reader takes nothing any more.
import type { FastifyRequest } from 'fastify'

/** A reader who takes nothing for so long has gone. */
const STALL_MS = 2 * 60_000

export function withoutStalling<Stream extends { once(event: 'close', listener: () => void): unknown }>(
  { raw }: FastifyRequest,
  stream: Stream,
): Stream {
  raw.socket?.setTimeout?.(STALL_MS)
  stream.once('close', () => raw.socket?.setTimeout?.(0))
  return stream
}
