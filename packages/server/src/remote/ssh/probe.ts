// Checks whether anything answers at the address of a server without starting a process: an sshd speaks first.
import { connect } from 'node:net'
import type { ServerAddress } from '../../domain/server-address.ts'
import { lookupAmong } from '../../network/checked-lookup.ts'
import { CommandStopped, ServerUnreachable } from '../host.ts'
import type { SharedConnectionOptions } from './shared-connection.ts'

export type Probe = (server: ServerAddress, signal: AbortSignal) => Promise<void>

/** As long as ssh itself would wait. */
const TIMEOUT_MS = 10_000

/** Resolves when one of the allowed addresses has sent something. Only ssh can tell whether it is the server. */
export const createProbe =
  (resolve: SharedConnectionOptions['resolve']): Probe =>
  async (server, signal) => {
    if (signal.aborted) throw new CommandStopped('aborted')
    return probeAddresses(server, await resolve(server), signal)
  }

async function probeAddresses(server: ServerAddress, addresses: readonly string[], signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (reason: string): void =>
    reject(new ServerUnreachable('connect', `The server ${server.name} could not be reached: ${reason}`))
  const onAbort = (): void => reject(new CommandStopped('aborted'))
  if (signal.aborted) throw new CommandStopped('aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  const socket = connect({ host: server.hostname, port: server.port, lookup: lookupAmong(addresses) })
  // A timer of its own: the socket's timeout does not cover resolving the name.
  const timer = setTimeout(fail, TIMEOUT_MS, `nothing was said within ${TIMEOUT_MS / 1000} seconds`)
  socket.once('data', () => resolve())
  socket.once('error', (error) => fail('code' in error ? String(error.code) : error.message))
  socket.once('close', () => fail('the connection was closed without a word'))
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    socket.on('error', () => undefined)
    socket.destroy()
  }
}
