// An application that answers with whatever bytes a test gives it, in pieces, and ends its connection in a way of its own.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

type HostileAnswer = {
  readonly pieces: readonly Buffer[]
  /** `stay`: the connection is left open after the last piece, until the other side goes. */
  readonly end: 'end' | 'destroy' | 'reset' | 'stay'
}

export type HostileApplication = {
  readonly port: number
  answer: HostileAnswer
  /** Called when all pieces of an answer were written, or could not be. */
  onAnswered: () => void
  close(): Promise<void>
}

export async function openHostileApplication(): Promise<HostileApplication> {
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    // The edge may end the connection in the middle of an answer: what is tested is the edge.
    socket.on('error', () => socket.destroy())
    socket.on('data', () => void speak(socket, application.answer).then(application.onAnswered))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const application: HostileApplication = {
    port: address.port,
    answer: { pieces: [], end: 'end' },
    onAnswered: () => undefined,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
  return application
}

async function speak(socket: Socket, { pieces, end }: HostileAnswer): Promise<void> {
  socket.setNoDelay(true)
  for (const piece of pieces) {
    if (socket.destroyed) return
    socket.write(piece)
    await nextTurn()
  }
  if (end === 'end') socket.end()
  else if (end === 'destroy') socket.destroySoon()
  else if (end === 'reset') socket.resetAndDestroy()
}
