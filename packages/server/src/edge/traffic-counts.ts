// Counts what the edge inside the platform carries: requests of environments, and open streams to ports.
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Requests that were sent to an application, and those of them that ended with 5xx or were cut off. */
export type EdgeStats = { readonly requests: number; readonly errors: number }

export type TrafficCounts = {
  countRequest(environmentId: number, res: ServerResponse): void
  /** Counts the stream until it closes. */
  countStream(port: number, stream: ServerResponse | Duplex): void
  /** Forgets the requests of all other environments. */
  retainOnly(environmentIds: ReadonlySet<number>): void
  stats(environmentId: number): EdgeStats
  /** Number of open streams to these ports. */
  countStreams(ports: readonly number[]): number
}

export function createTrafficCounts(): TrafficCounts {
  const stats = new Map<number, EdgeStats>()
  const streams = new Map<number, number>()

  function add(environmentId: number, { requests, errors }: EdgeStats): void {
    const before = stats.get(environmentId) ?? noTraffic
    stats.set(environmentId, { requests: before.requests + requests, errors: before.errors + errors })
  }

  return {
    countRequest(environmentId, res) {
      add(environmentId, { requests: 1, errors: 0 })
      res.once('close', () => {
        if (res.statusCode >= 500 || res.errored) add(environmentId, { requests: 0, errors: 1 })
      })
    },
    countStream(port, stream) {
      streams.set(port, (streams.get(port) ?? 0) + 1)
      stream.once('close', () => {
        const left = (streams.get(port) ?? 1) - 1
        if (left > 0) streams.set(port, left)
        else streams.delete(port)
      })
    },
    retainOnly(environmentIds) {
      for (const environmentId of stats.keys()) if (!environmentIds.has(environmentId)) stats.delete(environmentId)
    },
    stats: (environmentId) => stats.get(environmentId) ?? noTraffic,
    countStreams: (ports) => ports.reduce((sum, port) => sum + (streams.get(port) ?? 0), 0),
  }
}

const noTraffic: EdgeStats = { requests: 0, errors: 0 }
