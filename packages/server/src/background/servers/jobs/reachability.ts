// What this process knows about how each server answers. Kept in memory only.
import type { Logger } from 'pino'
import { jitteredBackOff } from '../../../scheduling/back-off.ts'

export type ServerReachability = {
  /** `probed`: something answered at its address. `reachable`: the last job on it succeeded. */
  state: 'unknown' | 'probed' | 'reachable'
  /** When a job on it last succeeded. */
  answeredAt: number
  /** How often in a row it was unreachable. */
  failures: number
  backOffUntil: number
  /** A job or a probe uses it: only one does at a time. */
  isBusy: boolean
}

export type Reachability = {
  of(serverId: number): ServerReachability
  markReachable(serverId: number): void
  markUnreachable(serverId: number, error: unknown): void
  /** Ends the back-off, because the fault may be over. */
  reset(serverId: number): void
  retainOnly(serverIds: ReadonlySet<number>): void
}

const BACK_OFF = { firstMs: 15_000, mostMs: 300_000 }

type Options = {
  readonly log: Logger
  readonly now: () => number
  readonly onReachability: (serverId: number, isReached: boolean) => void
}

export function createReachability({ log, now, onReachability }: Options): Reachability {
  const servers = new Map<number, ServerReachability>()
  const of = (serverId: number): ServerReachability => {
    const known = servers.get(serverId) ?? {
      state: 'unknown',
      answeredAt: 0,
      failures: 0,
      backOffUntil: 0,
      isBusy: false,
    }
    servers.set(serverId, known)
    return known
  }
  return {
    of,
    markReachable: (serverId) => {
      const server = of(serverId)
      if (server.failures > 0) log.info({ server: serverId }, 'a server is reachable again')
      onReachability(serverId, true)
      Object.assign(server, { state: 'reachable', answeredAt: now(), failures: 0, backOffUntil: 0 })
    },
    markUnreachable: (serverId, error) => {
      const server = of(serverId)
      if (server.failures === 0)
        log.warn({ err: error, server: serverId }, 'a server is unreachable: it is retried with growing pauses')
      onReachability(serverId, false)
      const failures = server.failures + 1
      const backOffUntil = now() + jitteredBackOff(failures, BACK_OFF)
      Object.assign(server, { state: 'unknown', failures, backOffUntil })
    },
    reset: (serverId) => {
      const server = servers.get(serverId)
      if (server) Object.assign(server, { backOffUntil: 0, state: server.failures > 0 ? 'unknown' : server.state })
    },
    retainOnly: (serverIds) => {
      for (const [id, { isBusy }] of servers) if (!serverIds.has(id) && !isBusy) servers.delete(id)
    },
  }
}
