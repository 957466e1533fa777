// Brings news to whoever listens, in this process and in the others. Only the door announces.
import type { News } from '../domain/news.ts'

export type Bus = {
  /** After the change was committed, never before. */
  announce(news: readonly News[]): void
  /** Gives the function that ends it. */
  listen(listener: (news: News) => void): () => void
}

type BusOptions = {
  /** Takes news to the other processes, where there are any; `hear` is how theirs come in. */
  readonly carry?: (news: readonly News[]) => void
  readonly onFault?: (error: unknown) => void
}

export function createBus({ carry, onFault }: BusOptions = {}): Bus & { hear(news: readonly News[]): void } {
  const listeners = new Set<(news: News) => void>()
  const hear = (news: readonly News[]): void => {
    for (const one of news) for (const listener of [...listeners]) tell(listener, one)
  }
  /** What is told is committed: a listener that fails takes nothing of it back, and keeps it from nobody else. */
  const tell = (listener: (news: News) => void, news: News): void => {
    try {
      listener(news)
    } catch (error) {
      if (!onFault) throw error
      onFault(error)
    }
  }
  return {
    announce: (news) => {
      if (news.length === 0) return
      hear(news)
      carry?.(news)
    },
    hear,
    listen: (listener) => {
      // Of its own, so that whoever listens twice is told twice.
      const own = (news: News): void => listener(news)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
