// The edge of a server in journeys: a real HAProxy in the folder that the platform uses over ssh.
import { join } from 'node:path'
import { type HaproxyEdge, openHaproxyEdge } from '../packages/server/test/haproxy-edge.ts'

/** The set-up line of a server names the installation, and with it the folder. */
export function openHaproxyOfServer(
  home: string,
  setUpLine: string,
  through: readonly string[] = [],
): Promise<HaproxyEdge> {
  const [, installation] = /--installation ([0-9a-z]+)/.exec(setUpLine) ?? []
  if (installation === undefined) throw new Error(`The line that sets up a server names no installation: ${setUpLine}`)
  return openHaproxyEdge({ folder: join(home, '.shipway', installation, 'edge'), through })
}
