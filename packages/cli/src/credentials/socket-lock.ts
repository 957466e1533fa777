// A lock for Node before 24, whose SQLite is absent or experimental: a listening socket, which the system closes with its process.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Lock = { close(): void }

/** Undefined while another process has it. */
export async function takeSocketLock(file: string): Promise<Lock | undefined> {
  const digest = createHash('sha256').update(`${process.getuid?.()} ${file}`).digest('hex').slice(0, 32)
  // Linux has addresses that are no files, so none is left behind.
  const isFile = process.platform !== 'linux'
  const address = isFile ? join(tmpdir(), `shipway-${digest}`) : `\0shipway-${digest}`
  const lock = await listen(address)
  if (!lock && isFile && !(await isAnswered(address))) rmSync(address, { force: true })
  return lock
}

const listen = (address: string): Promise<Lock | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(address, () => resolve({ close: () => void server.close() }))
  })

/** A file that nothing listens on was left by a process that was killed. */
function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
