// A reader of the live channel that reads along, over whichever platform it is led to, until it is stopped.
import { createClient } from '@shipway/api'
import { Model } from './model.ts'

export type ModelReader = {
  readonly model: Model
  /** From then on it comes back however long it was cut off. */
  readonly online: Promise<void>
  watch(topic: string): void
  /** Ends its connection without a word, as a broken network does. */
  cut(): void
  stop(): Promise<void>
}

type Reading = {
  readonly token: string
  /** Where the next connection and the next request go. */
  readonly address: () => string
  readonly topics: readonly string[]
}

export function readAlong({ token, address, topics }: Reading): ModelReader {
  const sockets = new Set<WebSocket>()
  /** Goes to another platform each time, as behind a proxy. */
  class Led extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      const led = new URL(url)
      led.host = new URL(address()).host
      super(led, protocols)
      sockets.add(this)
      this.addEventListener('close', () => sockets.delete(this))
    }
  }
  const model = new Model()
  const client = createClient({ baseUrl: address(), token: () => token, webSocket: Led, fetch: ledFetch(address) })
  const live = client.live({ topics })
  const { promise: online, resolve: isOnline } = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const update of live) {
      if (update.type === 'connection' && update.state === 'online') isOnline()
      await retryWhileDown(() => model.take(client, update))
    }
  })()
  return {
    model,
    online,
    watch: (topic) => live.subscribe(topic),
    cut: () => {
      for (const socket of sockets) socket.close()
    },
    stop: async () => {
      live.close()
      await reading
    },
  }
}

export const ledFetch =
  (address: () => string): typeof fetch =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    url.host = new URL(address()).host
    return fetch(url, init)
  }

/** Retries until a platform that was killed is back. On a busy machine its start takes far longer than the second it usually needs. */
export async function retryWhileDown<Result>(ask: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + MOST_START_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > end || !mayPass(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

const MOST_START_MS = 120_000

const mayPass = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoAnswer' || ('status' in error && Number(error.status) >= 500))
