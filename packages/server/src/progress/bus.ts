// Brings news to whoever listens, in this process and in the others. Only the door announces.
import { EventEmitter } from 'node:events'
import type { News } from '../domain/news.ts'

export type Bus = {
  /** After the change was committed, never before. */
  announce(news: readonly News[]): void
  /** Gives the function that ends it. */
  listen(listener: (news: News) => void): () => void
}

/** `carry` takes news to the other processes, where there are any; `hear` is how theirs come in. */
export function createBus(
  carry: (news: readonly News[]) => void = () => undefined,
): Bus & { hear(news: readonly News[]): void } {
  const emitter = new EventEmitter().setMaxListeners(0)
  const hear = (news: readonly News[]): void => {
    for (const one of news) emitter.emit('news', one)
  }
  return {
    announce: (news) => {
      if (news.length === 0) return
      hear(news)
      carry(news)
    },
    hear,
    listen: (listener) => {
      emitter.on('news', listener)
      return () => emitter.off('news', listener)
    },
  }
}
