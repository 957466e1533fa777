// The event bus: delivers change events to listeners of this process and of the others. Only `changeRecords` announces.
import type { ChangeEvent } from '../domain/change-event.ts'

export type Bus = {
  /** After the change was committed, never before. */
  announce(event: readonly ChangeEvent[]): void
  /** Returns the function that ends it. */
  listen(listener: (event: ChangeEvent) => void): () => void
}

type BusOptions = {
  /** Sends events to the other processes, if there are any; theirs come in through `receive`. */
  readonly carry?: (event: readonly ChangeEvent[]) => void
  readonly onFault?: (error: unknown) => void
}

export function createBus({ carry, onFault }: BusOptions = {}): Bus & { receive(event: readonly ChangeEvent[]): void } {
  const listeners = new Set<(event: ChangeEvent) => void>()
  const receive = (event: readonly ChangeEvent[]): void => {
    for (const one of event) for (const listener of [...listeners]) notify(listener, one)
  }
  /** The change is committed: a listener that fails undoes nothing, and the other listeners still get the event. */
  const notify = (listener: (event: ChangeEvent) => void, event: ChangeEvent): void => {
    try {
      listener(event)
    } catch (error) {
      if (!onFault) throw error
      onFault(error)
    }
  }
  return {
    announce: (event) => {
      if (event.length === 0) return
      receive(event)
      carry?.(event)
    },
    receive,
    listen: (listener) => {
      // Wrapped, so that a function that listens twice is called twice.
      const own = (event: ChangeEvent): void => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
