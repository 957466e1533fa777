// Brings news to whoever listens, in this process and in the others. Only the door announces.
import type { ChangeEvent } from '../domain/change-event.ts'

export type Bus = {
  /** After the change was committed, never before. */
  announce(event: readonly ChangeEvent[]): void
  /** Gives the function that ends it. */
  listen(listener: (event: ChangeEvent) => void): () => void
}

type BusOptions = {
  /** Takes news to the other processes, where there are any; `hear` is how theirs come in. */
  readonly carry?: (event: readonly ChangeEvent[]) => void
  readonly onFault?: (error: unknown) => void
}

export function createBus({ carry, onFault }: BusOptions = {}): Bus & { hear(event: readonly ChangeEvent[]): void } {
  const listeners = new Set<(event: ChangeEvent) => void>()
  const hear = (event: readonly ChangeEvent[]): void => {
    for (const one of event) for (const listener of [...listeners]) tell(listener, one)
  }
  /** What is told is committed: a listener that fails takes nothing of it back, and keeps it from nobody else. */
  const tell = (listener: (event: ChangeEvent) => void, event: ChangeEvent): void => {
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
      hear(event)
      carry?.(event)
    },
    hear,
    listen: (listener) => {
      // Of its own, so that whoever listens twice is told twice.
      const own = (event: ChangeEvent): void => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
