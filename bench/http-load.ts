// Requests one after the other on kept connections, with next to no work for each: a client that takes as long for a request as the
// application does would hide what stands between them where there are two cores.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

type Load = { readonly port: number; readonly host: string; readonly connections: number; readonly seconds: number }

/** Requests per second. Any other answer than a whole 200 is an error. */
export async function loadWith({ port, host, connections, seconds }: Load): Promise<number> {
  const request = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const begun = performance.now()
  const end = begun + seconds * 1000
  const counts = await Promise.all(Array.from({ length: connections }, () => ask({ port, request, end })))
  const answered = counts.reduce((sum, count) => sum + count, 0)
  return (answered * 1000) / (performance.now() - begun)
}

type Asked = { readonly port: number; readonly request: Buffer; readonly end: number }

async function ask({ port, request, end }: Asked): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let answered = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let missing = 0
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`Port ${port} closed a connection after ${answered} answers`)))
  socket.on('data', (bytes: Buffer) => {
    missing = missing === 0 ? restOf(bytes, reject) : missing - bytes.length
    if (missing !== 0) return
    answered++
    if (performance.now() < end) socket.write(request)
    else resolve()
  })
  socket.write(request)
  await promise.finally(() => close(socket))
  return answered
}

/** How many bytes of an answer are still to come after its first piece, which holds its whole head. */
function restOf(bytes: Buffer, reject: (reason: Error) => void): number {
  const head = bytes.indexOf('\r\n\r\n')
  const text = bytes.toString('latin1', 0, Math.max(head, 0))
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if (!text.startsWith('HTTP/1.1 200 ') || length === undefined) reject(new Error(`Not a whole answer: ${text}`))
  return head + 4 + Number(length) - bytes.length
}

function close(socket: Socket): void {
  socket.removeAllListeners('close')
  socket.destroy()
}
