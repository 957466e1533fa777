// Something on this machine that accepts every connection and then says nothing, or one line and nothing more.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export type SilentListener = {
  readonly port: number
  /** Connections since it listens. */
  accepted(): number
  stop(): Promise<void>
}

export async function listenSilently(line = ''): Promise<SilentListener> {
  const sockets = new Set<Socket>()
  let accepted = 0
  const listener = createServer((socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    if (line !== '') socket.write(line)
  })
  listener.listen({ port: 0, host: '127.0.0.1', backlog: 511 })
  await once(listener, 'listening')
  const address = listener.address()
  if (typeof address !== 'object' || address === null) throw new Error('It listens on no port')
  return {
    port: address.port,
    accepted: () => accepted,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
