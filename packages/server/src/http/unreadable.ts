// What the parser cannot read never becomes a request: it is answered in few words and the connection closed.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { VERSION } from '../version.ts'
import { closeAfterReading } from './connections/close-after-reading.ts'
import { connectionOf } from './connections/connection.ts'

export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  // Between the bytes of an answer, another one would be taken for a part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || connectionOf(socket)?.isAnswering) {
    socket.destroy(error)
    return
  }
  const { status, code, detail } = answers[error.code ?? ''] ?? unreadable
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Service-Version: ${VERSION}`,
    // The hooks that set these for every other answer never see this one.
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Past the parser, which would fail again at whatever comes.
  socket.removeAllListeners('data').on('data', () => undefined)
  closeAfterReading(socket, () => false)
}

type Unreadable = { readonly status: number; readonly code: string; readonly detail: string }

const unreadable: Unreadable = { status: 400, code: 'malformed_request', detail: 'The request could not be read' }

const answers: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    detail: 'The headers are too large. In a browser, delete the cookies of this site and of its neighbours',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'payload_too_large', detail: 'The body is too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'malformed_request', detail: 'The request took too long to arrive' },
}
