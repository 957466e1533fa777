// Ends the services of a test platform: each keeps a connection to this listener and exits when it closes, also when the test is killed.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type Lifeline = {
  readonly port: number
  /** Ends every service that runs now, and resolves when all have exited. */
  cut(): Promise<void>
  close(): Promise<void>
}

export async function openLifeline(): Promise<Lifeline> {
  const services = new Set<Socket>()
  const server = createServer((socket) => {
    services.add(socket)
    // A service that is killed by its next release resets the connection.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => services.delete(socket))
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = async (): Promise<void> => {
    const closed = [...services].map((socket) => new Promise((done) => socket.once('close', done)))
    for (const socket of services) socket.end()
    await Promise.all(closed)
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: async () => {
      server.close()
      await cut()
    },
  }
}
