// What this process knows of how each server answers.
import type { Logger } from 'pino'
import { pauseAfter } from '../../../scheduling/back-off.ts'

export type ServerReachability = {
  /**
   * `unknown` before it was heard of, `heard` when something was said at its address, `answering` when work on it went well.
   */
  state: 'unknown' | 'heard' | 'answering'
  /** When work on it last went well. */
  answeredAt: number
  /** How often in a row it was out of reach. */
  failures: number
  quietUntil: number
  /** One thing at a time is done there. */
  isBusy: boolean
}

export type Reachability = {
  of(serverId: number): ServerReachability
  answered(serverId: number): void
  wasOutOfReach(serverId: number, error: unknown): void
  /** Whatever was wrong may be over. */
  reset(serverId: number): void
  keepOnly(serverIds: ReadonlySet<number>): void
}

const PAUSES = { firstMs: 15_000, mostMs: 300_000 }

type Options = {
  readonly log: Logger
  readonly now: () => number
  readonly onReach: (serverId: number, isReached: boolean) => void
}

export function createReachability({ log, now, onReach }: Options): Reachability {
  const places = new Map<number, ServerReachability>()
  const of = (serverId: number): ServerReachability => {
    const known = places.get(serverId) ?? { state: 'unknown', answeredAt: 0, failures: 0, quietUntil: 0, isBusy: false }
    places.set(serverId, known)
    return known
  }
  return {
    of,
    answered: (serverId) => {
      const place = of(serverId)
      if (place.failures > 0) log.info({ server: serverId }, 'a server answers again')
      onReach(serverId, true)
      Object.assign(place, { state: 'answering', answeredAt: now(), failures: 0, quietUntil: 0 })
    },
    wasOutOfReach: (serverId, error) => {
      const place = of(serverId)
      if (place.failures === 0)
        log.warn(
          { err: error, server: serverId },
          'a server is out of reach: it is looked at less often until it answers',
        )
      onReach(serverId, false)
      const failures = place.failures + 1
      Object.assign(place, { state: 'unknown', failures, quietUntil: now() + pauseAfter(failures, PAUSES) })
    },
    reset: (serverId) => {
      const place = places.get(serverId)
      if (place) Object.assign(place, { quietUntil: 0, state: place.failures > 0 ? 'unknown' : place.state })
    },
    keepOnly: (serverIds) => {
      for (const [id, { isBusy }] of places) if (!serverIds.has(id) && !isBusy) places.delete(id)
    },
  }
}
