// SOCKS 5 on a unix socket, through which Chromium in its own network namespace reaches ports of this machine and nothing else.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SocksProxy = { readonly path: string; close(): void }

export async function startSocksProxy(): Promise<SocksProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-socks-'))
  const path = join(folder, 'socks')
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    serve(socket)
  })
  await once(server.listen(path), 'listening')
  return {
    path,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const WITHOUT_PASSWORD = Buffer.from([5, 0])
const GRANTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])

/** Answers the two SOCKS messages, then pipes. Every host leads to this target. */
function serve(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', () => {
    socket.write(WITHOUT_PASSWORD)
    socket.once('data', (request) => {
      const target = connect({ host: '127.0.0.1', port: request.readUInt16BE(request.length - 2) })
      target.once('connect', () => {
        socket.write(GRANTED)
        socket.pipe(target).pipe(socket)
      })
      target.on('error', () => socket.destroy())
      socket.on('close', () => target.destroy())
    })
  })
}
