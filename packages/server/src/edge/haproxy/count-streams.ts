// What still leads to some ports of a server, for whoever waits until nobody uses them any more.
import type { Host } from '../../remote/host.ts'
import { askHaproxy } from './ask-haproxy.ts'
import { streamsCommand } from './haproxy-scripts.ts'

/** Requests under way and open WebSockets; connections that are merely kept do not count. None where HAProxy does not run. */
export async function countStreams(host: Host, folder: string, ports: readonly number[]): Promise<number> {
  const [, count] = await askHaproxy(host, {
    command: streamsCommand(folder, ports),
    expected: /^streams (\d{1,15})\n$/,
  })
  return Number(count)
}
