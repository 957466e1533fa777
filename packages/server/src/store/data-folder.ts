// The folder that holds everything the server keeps, locked for one process.
//
// Node has no file locks, SQLite does: the operating system holds the lock of an exclusive transaction for as long as
// the process lives, and drops it with the process, however that ends. The process id is in a second file, since a
// process that opens and closes the locked one releases its lock.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '../domain/cannot-start.ts'

export type DataFolder = { readonly path: string; close(): void }

export function openDataFolder(folder: string): DataFolder {
  const path = resolve(folder)
  const pidFile = join(path, 'shipway.pid')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(path, 'shipway.lock'))
  if (!lock) {
    const pid = readPid(pidFile)
    throw new CannotStart(
      `The data folder ${path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}. ` +
        'Stop it first, or choose another folder with SHIPWAY_DATA.',
    )
  }
  held.add(lock)
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  const close = () => {
    if (!held.delete(lock)) return
    rmSync(pidFile, { force: true })
    lock.close()
  }
  return { path, close }
}

// Keeps the locks from the garbage collector, which would release them.
const held = new Set<DatabaseSync>()

// Two processes that start at once get in each other's way for an instant: only with some patience does one of them
// win. It also spans the last moments of a predecessor.
const patienceMs = 500

function takeLock(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: patienceMs })
  try {
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined
    throw error
  }
}

// SQLITE_BUSY
const busy = 5

function readPid(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
