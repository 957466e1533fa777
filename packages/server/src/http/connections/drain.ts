// Lets the connections of a server end without losing a request: another process already accepts new ones on the same socket.
//
// An idle connection cannot be closed at once: its client may be sending a request at this moment. So each connection learns it with its next
// answer that it was the last, and those that stay idle are closed at the end.
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { withDeadline } from '../../scheduling/deadline.ts'

/** Clients with requests to send use their connections more often than this, also on a busy machine. */
const DRAIN_MS = 5_000

type Connections = { readonly open: Set<Socket>; isDraining: boolean; onEmpty: () => void }

const servers = new WeakMap<Server, Connections>()

/** Follows the connections of a server for a later `drainConnections`. */
export function followConnections(server: Server): void {
  const connections: Connections = { open: new Set(), isDraining: false, onEmpty: () => undefined }
  servers.set(server, connections)
  const leave = (socket: Socket): void => {
    connections.open.delete(socket)
    if (connections.open.size === 0) connections.onEmpty()
  }
  server.on('connection', (socket) => {
    connections.open.add(socket)
    socket.once('close', () => leave(socket))
  })
  // WebSockets are closed by those that hold them.
  server.on('upgrade', ({ socket }) => leave(socket))
}

export const isDraining = (server: Server): boolean => servers.get(server)?.isDraining === true

export async function drainConnections(server: Server): Promise<void> {
  const connections = servers.get(server)
  if (!connections) throw new Error('The connections of this server are not followed')
  connections.isDraining = true
  // Of HTTP's server, this would also close idle connections.
  NetServer.prototype.close.call(server)
  if (connections.open.size === 0) return
  const empty = new Promise<void>((resolve) => {
    connections.onEmpty = resolve
  })
  await withDeadline(empty, DRAIN_MS, () => undefined)
  // What came while this process had no turn is taken before connections count as idle.
  await setImmediate()
}
