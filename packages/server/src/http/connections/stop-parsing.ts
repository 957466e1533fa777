// Discards the rest of what was read from a connection whose client sent more requests at once than are answered.
//
// Node parses everything that it has read, and keeps a request and a response for each until the connection is closed: 64 KB of short
// requests become 10 MB. There is no public way to stop it. Its parser stops where this callback says that an upgrade follows (2), and
// without an upgrade Node drops the rest. The parser is internal to Node: connection.test.ts notices if it changes.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

const STOP_AS_FOR_UPGRADE = 2

export function stopParsing(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', stopAt)
}

function stopAt(req: IncomingMessage): number {
  Reflect.set(req, 'upgrade', false)
  return STOP_AS_FOR_UPGRADE
}
