/**
 * One process at a time changes the credentials. The lock is an SQLite lock on an empty file: the system releases it when the
 * process ends, however it ends, so there are no stale locks.
 */
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../command-error.ts'
import { type Lock, takeSocketLock } from './socket-lock.ts'

export async function withLock<Result>(credentialsFile: string, action: () => Promise<Result>): Promise<Result> {
  const file = `${credentialsFile}.lock`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await (await open(file, 'a', 0o600)).close()
  const lock = await acquireLock(file)
  try {
    return await action()
  } finally {
    lock.close()
  }
}

/** Longer than renewing a sign-in can take. */
const TIMEOUT_MS = 60_000

async function acquireLock(file: string): Promise<Lock> {
  const take = hasSqlite ? takeSqliteLock : takeSocketLock
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const lock = await take(file)
    if (lock) return lock
    if (Date.now() > end) throw StillLocked(file)
    await pause(20 + Math.random() * 60)
  }
}

const hasSqlite = Number.parseInt(process.versions.node, 10) >= 24

/** Undefined while another process has it. */
async function takeSqliteLock(file: string): Promise<Lock | undefined> {
  const { DatabaseSync } = await import('node:sqlite')
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

const SQLITE_BUSY = 5
const isBusy = (error: unknown): boolean => Object(error).errcode === SQLITE_BUSY

const StillLocked = (file: string): CommandError =>
  new CommandError('Another shipway process has held the credentials for a minute', {
    code: 'credentials_locked',
    advice: [`See which process holds ${file}, and end or resume it`],
  })
