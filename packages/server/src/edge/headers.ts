// Headers that are passed on to an application and back. Hop-by-hop headers are not passed on.
import type { IncomingMessage } from 'node:http'

type Forwarding = {
  /** The Authorization header was meant for the edge. */
  readonly usesAuthorization: boolean
  readonly isUpgrade: boolean
}

/** Names and values alternate, as in Node's raw headers, which keeps repeated headers and the case of names. */
export function headersForApplication(req: IncomingMessage, { usesAuthorization, isUpgrade }: Forwarding): string[] {
  const host = req.headers.host ?? ''
  const kept = endToEnd(req, (name) => isSetByEdge(name) || (usesAuthorization && name === 'authorization'))
  return [
    'Host',
    host,
    ...kept,
    ...(isUpgrade ? ['Connection', 'Upgrade', 'Upgrade', 'websocket'] : bodyLength(req)),
    'X-Forwarded-For',
    (req.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    'X-Forwarded-Proto',
    'encrypted' in req.socket ? 'https' : 'http',
    'X-Forwarded-Host',
    host,
  ]
}

export function headersForClient(answer: IncomingMessage): string[] {
  return endToEnd(answer, () => false)
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function endToEnd({ rawHeaders, headers }: IncomingMessage, isDropped: (name: string) => boolean): string[] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => canonical(name.trim())))
  const kept: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    const key = canonical(name)
    if (!hopByHop.has(key) && !named.has(key) && !isDropped(key)) kept.push(name, value)
  }
  return kept
}

/** Many applications read `X_Forwarded_For` as `X-Forwarded-For`, so both are the same here. */
const canonical = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/** The edge sets or handles these headers itself: it does not pass on what a client sends. */
function isSetByEdge(name: string): boolean {
  return name.startsWith('x-forwarded-') || setByEdge.has(name)
}

const setByEdge = new Set(['host', 'content-length', 'expect', 'forwarded', 'proxy', 'x-real-ip'])

const hopByHop = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** States the length of the body once, as the parser understood it. */
function bodyLength({ headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  const length = headers['content-length']
  return length === undefined ? [] : ['Content-Length', length]
}
