// A reader of the live channel in a test: it reconnects almost at once, and takes one message at a time.
import type { ClientOptions } from '../src/client-request.ts'
import { type Live, type LiveReading, type LiveUpdate, openLive } from '../src/live-client/open-live.ts'
import { type Pace, USUAL_PACE } from '../src/live-client/pace.ts'
import type { LivePlatform, PlatformConnection } from './live-platform.ts'

const PROMPT: Pace = { ...USUAL_PACE, shortestMs: 1, longestMs: 2, restartMs: 1 }

export class LiveReader {
  readonly live: Live
  readonly #updates: AsyncIterator<LiveUpdate>

  constructor(options: ClientOptions, reading: LiveReading, pace: Partial<Pace> = {}) {
    this.live = openLive(options, reading, { ...PROMPT, ...pace })
    this.#updates = this.live[Symbol.asyncIterator]()
  }

  /** Awaits that it is online, with what the platform has of the connection. */
  async join(platform: LivePlatform): Promise<PlatformConnection> {
    const [update, connection] = await Promise.all([this.next(), platform.connection()])
    if (update?.type !== 'connection' || update.state !== 'online') throw new Error('It is not online')
    return connection
  }

  /** The next message; undefined at the end. */
  async next(): Promise<LiveUpdate | undefined> {
    const { done, value } = await this.#updates.next()
    return done ? undefined : value
  }

  /** The next one of this type. The others are left out. */
  async nextOf<Type extends LiveUpdate['type']>(type: Type): Promise<Extract<LiveUpdate, { type: Type }>> {
    for (;;) {
      const update = await this.next()
      if (!update) throw new Error(`It ended before there was a message of type ${type}`)
      if (isOf(update, type)) return update
    }
  }

  /** Leaves as a loop does that is left with `break`. */
  async leave(): Promise<void> {
    await this.#updates.return?.()
  }
}

const isOf = <Type extends LiveUpdate['type']>(
  update: LiveUpdate,
  type: Type,
): update is Extract<LiveUpdate, { type: Type }> => update.type === type
