// A stream that makes its next piece when the last one was taken, and not before: a slow reader costs no memory.
import { Readable } from 'node:stream'

/** The signal is raised when the reader has gone, so that a piece that is being waited for is given up. No piece is empty. */
export function streamPieces(pieces: (gone: AbortSignal) => AsyncGenerator<Buffer | string, void>): Readable {
  const gone = new AbortController()
  const iterator = pieces(gone.signal)
  return new Readable({
    // With more, Readable would ask for the next piece while the last one waits for its reader.
    highWaterMark: 0,
    read() {
      iterator.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error('No piece', { cause: error })),
      )
    },
    destroy(error, done) {
      gone.abort()
      iterator.return().then(
        () => done(error),
        (failure: unknown) => done(error ?? (failure instanceof Error ? failure : null)),
      )
    },
  })
}
