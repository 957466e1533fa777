// A lock that one process of this machine holds.
//
// Node has no file locks, SQLite does: the operating system holds the lock of an exclusive transaction for as long as the process lives, and
// drops it with the process, however that ends.
import { DatabaseSync } from 'node:sqlite'

export type ProcessLock = { release(): void }

/** Undefined if another process still holds it after `timeoutMs`. The wait blocks this process. */
export function takeProcessLock(file: string, timeoutMs: number): ProcessLock | undefined {
  const database = new DatabaseSync(file, { timeout: timeoutMs })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
  held.add(database)
  return {
    release: () => {
      if (held.delete(database)) database.close()
    },
  }
}

const SQLITE_BUSY = 5

// Keeps the locks from the garbage collector, which would release them.
const held = new Set<DatabaseSync>()
