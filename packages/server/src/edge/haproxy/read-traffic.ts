// Reads HAProxy's counters for each environment of a server.
import type { Host } from '../../remote/host.ts'
import type { EdgeStats } from '../traffic-counts.ts'
import { askHaproxy } from './ask-haproxy.ts'
import { trafficCommand } from './haproxy-scripts.ts'

export type EdgeTraffic = {
  /** When HAProxy started and counting began; null if it does not run. */
  readonly since: number | null
  readonly environments: ReadonlyMap<number, EdgeStats>
}

export async function readTraffic(host: Host, folder: string): Promise<EdgeTraffic> {
  const [, since, lines = ''] = await askHaproxy(host, {
    command: trafficCommand(folder),
    expected: /^traffic (\d{1,12})\n((?:\d{1,15} \d{1,15} \d{1,15}\n)*)$/,
  })
  const counted = lines.matchAll(/^(\d+) (\d+) (\d+)$/gm)
  return {
    since: since === '0' ? null : Number(since) * 1000,
    environments: new Map(
      Array.from(counted, ([, id, requests, errors]) => [
        Number(id),
        { requests: Number(requests), errors: Number(errors) },
      ]),
    ),
  }
}
