// A receiver of webhooks on this machine, which keeps what it is sent and answers as the test likes.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type ReceivedMessage = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }

export type TestReceiver = {
  readonly url: string
  readonly port: number
  readonly received: ReceivedMessage[]
  /** How the next ones are answered; 204 unless the test says otherwise. */
  answer: (response: ServerResponse, socket: Socket) => void
  stop(): Promise<void>
}

export async function startReceiver(): Promise<TestReceiver> {
  const received: ReceivedMessage[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' })
      receiver.answer(response, request.socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: (response) => void response.writeHead(204).end(),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
