// Small HTTP servers, clients and WebSockets on the loopback, for tests of what stands between them.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'

export type Loopback = { readonly port: number; readonly server: Server; close(): Promise<void> }

export async function serve(listener: RequestListener): Promise<Loopback> {
  return listenOn(createServer(listener))
}

export async function listenOn(server: Server, port = 0): Promise<Loopback> {
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    port: address.port,
    server,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
}

export type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly text: string
}

type RequestToSend = {
  method?: string
  path?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** One request on a connection of its own. */
export async function ask(port: number, host: string, { body, headers, ...sent }: RequestToSend = {}): Promise<Answer> {
  const req = request({ host: '127.0.0.1', port, agent: false, headers: { host, ...headers }, ...sent })
  req.end(body)
  const answer = await responseTo(req)
  answer.setEncoding('utf8')
  let text = ''
  for await (const chunk of answer) text += chunk
  return { status: answer.statusCode ?? 0, headers: answer.headers, rawHeaders: answer.rawHeaders, text }
}

export async function responseTo(req: ReturnType<typeof request>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  req.once('response', resolve)
  req.once('error', reject)
  return promise
}

/** Sends bytes as they are, and gives all that comes back until the other side closes. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(120_000, () => socket.destroy(new Error('The connection stayed open')))
  socket.write(text, 'latin1')
  let received = ''
  for await (const chunk of socket) received += chunk.toString('latin1')
  return received
}

/** Makes a server answer each WebSocket message with a name and the message. They are short, so frames are simple. */
export function echoWebSockets(server: Server, name: string): void {
  server.on('upgrade', (req, socket) => {
    const key = `${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const headers = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n`
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`)
    socket.on('error', () => socket.destroy())
    socket.on('data', (frame: Buffer) => {
      const isClose = (frame[0] ?? 0) === 0x88
      if (isClose) return void socket.end(Buffer.from([0x88, 0]))
      const length = (frame[1] ?? 0) & 0x7f
      const mask = frame.subarray(2, 6)
      const payload = frame.subarray(6, 6 + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
      const said = Buffer.from(`${name}: ${payload}`)
      socket.write(Buffer.concat([Buffer.from([0x81, said.length]), said]))
    })
  })
}
