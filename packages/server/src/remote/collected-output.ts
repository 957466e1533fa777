// Collects the output of a command up to the size that the caller expects.
import { TooMuchOutput } from './host.ts'

export function collectOutput(mostBytes: number): { add(bytes: Buffer): void; bytes(): Buffer } {
  const pieces: Buffer[] = []
  let length = 0
  return {
    add: (bytes) => {
      length += bytes.length
      // A truncated output would be read as if it were complete.
      if (length > mostBytes) throw new TooMuchOutput()
      pieces.push(bytes)
    },
    bytes: () => Buffer.concat(pieces),
  }
}
