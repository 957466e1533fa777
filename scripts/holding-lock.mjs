// One process of this machine at a time does something. Runs on the machine's own Node (20 or newer), before anything is installed.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A listening socket is the lock: the system releases it when its owner ends, however it ends. Calls `onWait` where another holds it. */
export async function holdingLock(name, action, onWait = () => undefined) {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const address = process.platform === 'linux' ? `\0shipway-${digest}` : join(tmpdir(), `shipway-${digest}`)
  let release = await take(address)
  if (!release) onWait()
  while (!release) {
    await ownerEnds(address)
    release = await take(address)
  }
  try {
    return await action()
  } finally {
    await release()
  }
}

/** Undefined where another holds it. */
function take(address) {
  return new Promise((done, failed) => {
    const waiting = new Set()
    // Waiting processes notice the end of their connection, which comes at the latest when this process ends.
    const server = createServer((connection) => {
      waiting.add(connection)
      connection.on('error', () => connection.destroy()).unref()
    })
    const release = () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const connection of waiting) connection.destroy()
      })
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? done(undefined) : failed(error)))
    server.listen(address, () => done(release))
  })
}

function ownerEnds(address) {
  return new Promise((done) => {
    const socket = createConnection(address)
    socket.resume()
    socket.once('error', (error) => {
      // A socket file without a listener was left by a process that was killed.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true })
    })
    socket.once('close', done)
  })
}
