// The latest traffic counters of each edge, so that readers need not reach a server.
import type { EdgeTraffic } from './read-traffic.ts'

export type TrafficReadings = {
  /** When this platform began to count the traffic of its embedded edge. */
  readonly embeddedSince: number
  note(serverId: number, reading: EdgeTraffic): void
  find(serverId: number): EdgeTraffic | undefined
}

export function createTrafficReadings(now: number): TrafficReadings {
  const readings = new Map<number, EdgeTraffic>()
  return {
    embeddedSince: now,
    note: (serverId, reading) => void readings.set(serverId, reading),
    find: (serverId) => readings.get(serverId),
  }
}
