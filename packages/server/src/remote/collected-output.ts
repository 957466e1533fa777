// Keeps what a command prints, as long as it is not more than whoever asked expects.
import { TooMuchOutput } from './host.ts'

export function collectOutput(mostBytes: number): { add(bytes: Buffer): void; bytes(): Buffer } {
  const pieces: Buffer[] = []
  let length = 0
  return {
    add: (bytes) => {
      length += bytes.length
      // Half an output would be read as if it were the whole.
      if (length > mostBytes) throw new TooMuchOutput()
      pieces.push(bytes)
    },
    bytes: () => Buffer.concat(pieces),
  }
}
