// Whose a request is: the address that it came from, or the one that a trusted proxy names.
import type { IncomingMessage } from 'node:http'
import { isInNetworks } from '@shipway/api/values/ip-address'

/** As Fastify finds `request.ip`, for requests that never reach it. */
export function clientAddress(req: IncomingMessage, trustedProxies: readonly string[]): string {
  const sender = req.socket.remoteAddress ?? ''
  if (!isInNetworks(sender, trustedProxies)) return sender
  const header = req.headers['x-forwarded-for'] ?? ''
  const forwarded = String(header)
    .split(',')
    .reverse()
    .map((address) => address.trim())
  const client = forwarded.find((address) => !isInNetworks(address, trustedProxies)) ?? forwarded.at(-1)
  return client || sender
}
