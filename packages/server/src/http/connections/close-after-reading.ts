// Closes a connection whose client may still be sending. Closed at once, the kernel would answer what arrives with a reset, and the reset
// can overtake the answer. So the answer goes out first, and what the client still sends is read and discarded within bounds.
import type { Socket } from 'node:net'

/** More than the largest delivery of a git host. */
const MOST_BYTES = 32 * 1024 * 1024
const MOST_MS = 10_000
const POLL_MS = 50

/** `isRead` says whether everything that the client announced has arrived. */
export function closeAfterReading(socket: Socket, isRead: () => boolean): void {
  if (socket.destroyed) return
  socket.end()
  const mostRead = socket.bytesRead + MOST_BYTES
  const end = performance.now() + MOST_MS
  const timer = setInterval(() => {
    const isDone = isRead() && socket.writableFinished
    if (isDone || socket.bytesRead > mostRead || performance.now() > end) socket.destroy()
  }, POLL_MS)
  socket.once('close', () => clearInterval(timer))
}
