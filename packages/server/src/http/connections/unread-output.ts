// What the platform holds for clients that do not read: bounded for each client and in all, and for a limited time.
//
// The kernel takes what fits into the buffers of a connection; the rest stays in the process. A client that reads makes progress. When too
// much is held, the connections that have waited longest for their reader are closed first: those of the client that exceeds its share,
// or those of all clients. So a client that does not read makes room for those that do.

/** One connection with output that its client has not read. */
export type UnreadConnection = {
  /** The address or network that it counts for. */
  readonly client: string
  /** Bytes that the process holds for it. */
  readonly unread: number
  /** Bytes that the kernel has taken so far: where it grows, the client reads. */
  readonly flushed: number
  cut(reason: CutReason): void
}

export type CutReason = 'stalled' | 'too much for one client' | 'too much in all'

export type UnreadLimits = { readonly perClient: number; readonly inAll: number; readonly stallMs: number }

const MOST_OF_CLIENT = 16 * 1024 * 1024
const MOST_IN_ALL = 32 * 1024 * 1024
const STALL_MS = 60_000

export const UNREAD_LIMITS: UnreadLimits = { perClient: MOST_OF_CLIENT, inAll: MOST_IN_ALL, stallMs: STALL_MS }

/** For the connection, its request and what is read ahead for it: of an application, of a file, of the records. */
const OVERHEAD = 64 * 1024
const SWEEP_MS = 1000

type Held = { readonly client: string; readonly bytes: number; readonly flushed: number; readonly movedAt: number }

export class UnreadOutput {
  readonly #limits: UnreadLimits
  /** Each in the order in which their connections last made progress. */
  readonly #all = new HeldBytes()
  readonly #clients = new Map<string, HeldBytes>()
  readonly #upgraded = new Set<UnreadConnection>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Looks at a connection after something was written to it. */
  note(connection: UnreadConnection): void {
    const { unread, flushed } = connection
    const before = this.#all.held.get(connection)
    if (unread === 0) {
      if (before) this.#forget(connection, before)
      return
    }
    const bytes = unread + OVERHEAD
    if (before?.bytes === bytes && before.flushed === flushed) return
    // One that still waits for its reader keeps its place in the order, however much more is written to it.
    const isWaiting = before?.flushed === flushed
    if (before && !isWaiting) this.#forget(connection, before)
    const moved = { client: connection.client, flushed, movedAt: performance.now() }
    this.#hold(connection, { ...(isWaiting ? before : moved), bytes })
  }

  /** Nothing says when an application's answer to a refused upgrade is written, so these connections are looked at every second. */
  watch(connection: UnreadConnection): void {
    this.#upgraded.add(connection)
    this.#startSweeping()
  }

  forget(connection: UnreadConnection): void {
    this.#upgraded.delete(connection)
    const held = this.#all.held.get(connection)
    if (held) this.#forget(connection, held)
  }

  #hold(connection: UnreadConnection, held: Held): void {
    const own = this.#clients.get(held.client) ?? new HeldBytes()
    this.#clients.set(held.client, own)
    own.put(connection, held)
    this.#all.put(connection, held)
    this.#startSweeping()
    this.#shrink(own, this.#limits.perClient, 'too much for one client')
    this.#shrink(this.#all, this.#limits.inAll, 'too much in all')
  }

  #forget(connection: UnreadConnection, held: Held): void {
    this.#all.take(connection)
    const own = this.#clients.get(held.client)
    own?.take(connection)
    if (own?.held.size === 0) this.#clients.delete(held.client)
  }

  /** The last one stays: one answer that is larger than the limit can be read, too. */
  #shrink(heldBytes: HeldBytes, most: number, reason: CutReason): void {
    for (const [connection, held] of heldBytes.held) {
      if (heldBytes.bytes <= most || heldBytes.held.size === 1) return
      this.#forget(connection, held)
      connection.cut(reason)
    }
  }

  #startSweeping(): void {
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  #sweep(): void {
    for (const connection of [...this.#upgraded, ...this.#all.held.keys()]) this.note(connection)
    const stalledSince = performance.now() - this.#limits.stallMs
    for (const [connection, held] of this.#all.held) {
      if (held.movedAt > stalledSince) continue
      this.#forget(connection, held)
      connection.cut('stalled')
    }
    if (this.#all.held.size > 0 || this.#upgraded.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

class HeldBytes {
  readonly held = new Map<UnreadConnection, Held>()
  bytes = 0

  put(connection: UnreadConnection, held: Held): void {
    this.bytes += held.bytes - (this.held.get(connection)?.bytes ?? 0)
    this.held.set(connection, held)
  }

  take(connection: UnreadConnection): void {
    this.bytes -= this.held.get(connection)?.bytes ?? 0
    this.held.delete(connection)
  }
}
