// Tells whoever waits that something has changed. A message says what to look at, never what it says: the records do.
import { EventEmitter } from 'node:events'
import { z } from 'zod'

/** Parsed where it comes from another process. */
export const Change = z.discriminatedUnion('about', [
  z.object({ about: z.literal('queue') }),
  z.object({ about: z.literal('task'), taskId: z.int() }),
  z.object({ about: z.literal('output'), taskId: z.int() }),
  z.object({ about: z.literal('cancel'), taskId: z.int() }),
  z.object({ about: z.literal('routes') }),
  /** An environment of the project went, or its limit changed. */
  z.object({ about: z.literal('slots'), projectId: z.int() }),
  z.object({ about: z.literal('server'), serverId: z.int() }),
  /** A stored delivery took effect, by somebody else than the process that stored it. */
  z.object({ about: z.literal('delivery'), id: z.int() }),
])
export type Change = z.infer<typeof Change>

export type Bus = {
  /** After the change was committed, never before. */
  announce(change: Change): void
  /** Gives the function that ends it. */
  listen(listener: (change: Change) => void): () => void
}

/** `carry` takes each change to the other processes, where there are any; `hear` is how theirs come in. */
export function createBus(carry: (change: Change) => void = () => undefined): Bus & { hear(change: Change): void } {
  const emitter = new EventEmitter().setMaxListeners(0)
  const hear = (change: Change): void => {
    emitter.emit('change', change)
  }
  return {
    announce: (change) => {
      hear(change)
      carry(change)
    },
    hear,
    listen: (listener) => {
      emitter.on('change', listener)
      return () => emitter.off('change', listener)
    },
  }
}
