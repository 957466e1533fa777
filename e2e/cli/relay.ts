// A proxy in front of the platform that counts what passes, and that can lose every connection.
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export type Relay = {
  readonly url: string
  /** `POST /oauth/token` and so on, in the order in which they came. */
  readonly passed: string[]
  /** The tokens that came with them. */
  readonly tokens: Set<string>
  /** Answers a request itself, or keeps it waiting, where it gives true. */
  interfere: ((line: string, answer: ServerResponse) => boolean) | undefined
  /** The next request like this is passed on, and its answer is lost. */
  loseAnswerTo: RegExp | undefined
  /** The connection of the next answer that is longer than this breaks after so many bytes. */
  breakAfter: number | undefined
  /** Breaks every connection that is open; `isDown` also refuses those that come, until it is up again. */
  cut(isDown: boolean): void
  stop(): Promise<void>
}

/** `target` may be known later than the relay, whose address a platform can then have as its own. */
export async function startRelay(target: string | (() => string)): Promise<Relay> {
  const passed: string[] = []
  const tokens = new Set<string>()
  const sockets = new Set<Socket>()
  let isDown = false
  const server = createServer((incoming, answer) => {
    const line = `${incoming.method} ${incoming.url}`
    passed.push(line)
    const [, token] = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '') ?? []
    if (token !== undefined) tokens.add(token)
    if (relay.interfere?.(line, answer)) return
    const isLost = relay.loseAnswerTo?.test(line) ?? false
    if (isLost) relay.loseAnswerTo = undefined
    const { method, headers } = incoming
    const address = new URL(incoming.url ?? '/', typeof target === 'string' ? target : target())
    const asked = request(address, { method, headers, agent: false }, (response) => {
      if (isLost) {
        response.resume()
        answer.destroy()
        return
      }
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      const { breakAfter } = relay
      if (breakAfter !== undefined && Number(response.headers['content-length']) > breakAfter) {
        relay.breakAfter = undefined
        let bytes = 0
        response.on('data', (piece: Buffer) => {
          bytes += piece.length
          if (bytes > breakAfter) answer.destroy()
        })
      }
      response.once('error', () => answer.destroy())
    })
    asked.once('error', () => answer.destroy())
    answer.once('close', () => {
      if (!isLost) asked.destroy()
    })
    incoming.pipe(asked)
  })
  // WebSockets of the live channel: from the request on, bytes pass as they are.
  server.on('upgrade', (incoming, socket, head) => {
    passed.push(`${incoming.method} ${incoming.url}`)
    const { hostname, port: targetPort } = new URL(typeof target === 'string' ? target : target())
    const upstream = connect(Number(targetPort), hostname)
    const lines = Object.entries(incoming.headers).map(([key, value]) => `${key}: ${String(value)}\r\n`)
    upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
    socket.on('error', () => upstream.destroy()).once('close', () => upstream.destroy())
    upstream.on('error', () => socket.destroy()).once('close', () => socket.destroy())
  })
  server.on('connection', (socket) => {
    if (isDown) return socket.destroy()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = (down: boolean): void => {
    isDown = down
    for (const socket of sockets) socket.destroy()
  }
  const relay: Relay = {
    url: `http://127.0.0.1:${port}`,
    passed,
    tokens,
    interfere: undefined,
    loseAnswerTo: undefined,
    breakAfter: undefined,
    cut,
    stop: async () => {
      cut(true)
      server.close()
      await once(server, 'close')
    },
  }
  return relay
}
