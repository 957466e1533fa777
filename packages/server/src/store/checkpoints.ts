/**
 * Moves what was committed from the write-ahead log into the database, in a thread of its own: SQLite would do it together with some
 * commit, for ten milliseconds and more, in which all other requests wait. The thread is there while much is written.
 */
import { createPersistentThread } from '../threads/persistent-thread.ts'

export type Checkpoints = {
  /** After a write: a checkpoint follows soon, unless there was one just now. */
  follow(): void
  close(): Promise<void>
}

const PAUSE_MS = 250
const IDLE_MS = 60_000

export function keepCheckpoints(path: string): Checkpoints {
  const thread = createPersistentThread({ program, input: path, idleMs: IDLE_MS })
  let mayFollowAt = Number.NEGATIVE_INFINITY
  return {
    follow: () => {
      if (performance.now() < mayFollowAt) return
      mayFollowAt = Number.POSITIVE_INFINITY
      const goOn = (): void => {
        mayFollowAt = performance.now() + PAUSE_MS
      }
      // The database does without: then a commit does the work, once there is much of it.
      thread.run().then(goOn, goOn)
    },
    close: () => thread.close(),
  }
}

const program = new URL('./checkpoint-thread.ts', import.meta.url)
