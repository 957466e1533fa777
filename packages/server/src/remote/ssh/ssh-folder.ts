// This process's folder for files of OpenSSH's client: the key, certificates, host keys, sockets.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Creates a folder that only this user can read, and removes those of processes that have ended. */
export function makeSshFolder(parent: string): string {
  const home = isFitForSsh(parent) ? parent : '/tmp'
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const names = readdirSync(home).filter((name) => isOrphaned(home, name))
  for (const name of names) rmSync(join(home, name), { recursive: true, force: true })
  return mkdtempSync(join(home, `shipway-ssh-${process.pid}-`))
}

/** The path of a socket has at most 104 bytes, and ssh uses 17 of them. In ssh's options spaces and % have a meaning. */
function isFitForSsh(parent: string): boolean {
  return parent.length <= 40 && /^[A-Za-z0-9_./-]+$/.test(parent)
}

/** Folders of running processes and of other users stay. */
function isOrphaned(home: string, name: string): boolean {
  const pid = Number(/^shipway-ssh-(\d+)-\w{6}$/.exec(name)?.[1])
  if (!(pid > 0) || isAlive(pid)) return false
  return statSync(join(home, name), { throwIfNoEntry: false })?.uid === process.getuid?.()
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
