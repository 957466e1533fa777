// Counts the streams to some ports of a server, for callers that wait until they have drained.
import type { Host } from '../../remote/host.ts'
import { askHaproxy } from './ask-haproxy.ts'
import { streamsCommand } from './haproxy-scripts.ts'

/** Running requests and open WebSockets; idle kept-alive connections do not count. Zero if HAProxy does not run. */
export async function countStreams(host: Host, folder: string, ports: readonly number[]): Promise<number> {
  const [, count] = await askHaproxy(host, {
    command: streamsCommand(folder, ports),
    expected: /^streams (\d{1,15})\n$/,
  })
  return Number(count)
}
