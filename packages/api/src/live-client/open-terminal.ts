// Runs a one-off command on the platform's own machine: what is typed goes to it, what it prints comes back, and its exit code at the end.
import { addressOf, type ClientOptions, tokenOf } from '../client-request.ts'
import { LIVE_AUTHENTICATE, liveRoutes } from '../live.ts'
import { TERMINAL_SUBPROTOCOL } from '../terminal.ts'
import { askWhy } from './ask-why.ts'
import { type Pace, USUAL_PACE } from './pace.ts'
import { TerminalConnection } from './terminal-connection.ts'
import type { TerminalEnd, TerminalOrder } from './terminal-order.ts'

/** Throws where the platform cannot be reached, opens no such connection, or refuses the command. */
export async function openTerminal(
  options: ClientOptions,
  order: TerminalOrder,
  pace: Pace = USUAL_PACE,
): Promise<TerminalEnd> {
  const token = await tokenOf(options)
  const address = addressOf(options.baseUrl, liveRoutes.openLive, {})
  address.protocol = address.protocol.replace('http', 'ws')
  const protocols = token === undefined ? [TERMINAL_SUBPROTOCOL] : [TERMINAL_SUBPROTOCOL, LIVE_AUTHENTICATE]
  const socket = new (options.webSocket ?? WebSocket)(address, protocols)
  const signIn = { token, organization: options.organization }
  const end = await new TerminalConnection(socket, { order, pace, signIn }).ended
  if (end) return end
  throw await askWhy(options, { limitMs: pace.openMs, ended: order.signal })
}
