// Separates the two outputs of a container without a terminal, which the Engine sends in turns: each piece has a header of eight bytes with
// the output and the length.
import type { RunOutput } from '../../domain/run-terminal.ts'

const HEADER_BYTES = 8
const STDERR = 2

/** Hands on pieces as they come: a header may claim any length. */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<RunOutput, void, undefined> {
  let header = Buffer.alloc(0)
  let stream: RunOutput['stream'] = 'stdout'
  let left = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const bytes = chunk.subarray(at, at + left)
        at += bytes.length
        left -= bytes.length
        yield { stream, bytes }
        continue
      }
      const part = chunk.subarray(at, at + HEADER_BYTES - header.length)
      at += part.length
      header = Buffer.concat([header, part])
      if (header.length < HEADER_BYTES) continue
      stream = header[0] === STDERR ? 'stderr' : 'stdout'
      left = header.readUInt32BE(4)
      header = Buffer.alloc(0)
    }
  }
}
