// The folder that holds everything the server keeps, locked for one process. The process id is in a second file, since a process that opens
// and closes the locked one releases its lock.
import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotStart } from '../domain/cannot-start.ts'
import { isDiskFull } from '../domain/disk-full.ts'
import { takeProcessLock } from './process-lock.ts'

export type DataFolder = { readonly path: string; close(): void }

/** `timeoutMs`: how long another process may still use it. The wait blocks this process, which does nothing else yet. */
export function openDataFolder(folder: string, timeoutMs = TIMEOUT_MS): DataFolder {
  const path = resolve(folder)
  const pidFile = join(path, 'shipway.pid')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // Says what is wrong, where SQLite would only say that it cannot open a file.
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  const lock = takeProcessLock(join(path, 'shipway.lock'), timeoutMs)
  if (!lock) {
    const pid = readPid(pidFile)
    throw new CannotStart(
      `The data folder ${path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}. ` +
        'Stop it first, or choose another folder with SHIPWAY_DATA.',
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    rmSync(pidFile, { force: true })
    lock.release()
  }
  return { path, close }
}

/** Runs work that uses the data folder: if the folder cannot be used, it rejects with a sentence for the operator. */
export async function inDataFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    const fault = error instanceof CannotStart ? undefined : folderFault(error)
    throw fault === undefined ? error : new CannotStart(FAULTS[fault](resolve(folder)), { cause: error })
  })
}

type FolderFault = 'full' | 'read_only' | 'forbidden' | 'not_a_folder' | 'not_ours' | 'broken'

const FAULTS: Readonly<Record<FolderFault, (folder: string) => string>> = {
  full: (folder) => `The disk of the data folder ${folder} is full. Free some space there, then start again.`,
  read_only: (folder) =>
    `The data folder ${folder} is read-only. Mount it writable, or choose another with SHIPWAY_DATA.`,
  forbidden: (folder) =>
    `This user (${process.getuid?.() ?? 'unknown'}) may not write to the data folder ${folder}. ` +
    'Give the folder to that user with chown -R, or choose another with SHIPWAY_DATA.',
  not_a_folder: (folder) => `${folder} is not a folder. Choose another data folder with SHIPWAY_DATA.`,
  not_ours: (folder) =>
    `The data folder ${folder} has a file of another program in place of the database or its lock. ` +
    'Choose another folder with SHIPWAY_DATA, or restore a backup into an empty one.',
  broken: (folder) => `The disk of the data folder ${folder} fails to read or write. See the log of the system.`,
}

/** Undefined if an error is not about the folder. */
function folderFault(error: unknown): FolderFault | undefined {
  if (!(error instanceof Error)) return undefined
  if (isDiskFull(error)) return 'full'
  const byCode = 'code' in error ? FILE_ERRORS.get(String(error.code)) : undefined
  const bySqlite = 'errcode' in error ? SQLITE_ERRORS.get(Number(error.errcode) & 0xff) : undefined
  return byCode ?? bySqlite ?? folderFault(error.cause)
}

const FILE_ERRORS: ReadonlyMap<string, FolderFault> = new Map([
  ['EROFS', 'read_only'],
  ['EACCES', 'forbidden'],
  ['EPERM', 'forbidden'],
  ['ENOTDIR', 'not_a_folder'],
  ['EEXIST', 'not_a_folder'],
  ['EIO', 'broken'],
])

/** SQLITE_PERM, READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB */
const SQLITE_ERRORS: ReadonlyMap<number, FolderFault> = new Map([
  [3, 'forbidden'],
  [8, 'read_only'],
  [10, 'broken'],
  [11, 'not_ours'],
  [14, 'forbidden'],
  [26, 'not_ours'],
])

// Two processes that start at once get in each other's way for an instant: only with a timeout does one of them
// win. It also spans the last moments of a predecessor.
const TIMEOUT_MS = 500

function readPid(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
