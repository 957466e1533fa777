// Brings the edge of a server to a state: its files, and HAProxy while it runs.
import type { Host } from '../../remote/host.ts'
import { askEdge } from './ask-haproxy.ts'
import { applyCommand } from './haproxy-scripts.ts'
import { type EdgeState, edgeFiles } from './haproxy-state.ts'

export type Applied = {
  /** `stale`: the server holds a newer state already, and keeps it. */
  readonly outcome: 'applied' | 'stale'
  /** Of the state that the server holds now. */
  readonly version: number
  /** Where HAProxy does not run, it takes the files when it starts. */
  readonly isLive: boolean
  /** Entries of the running HAProxy that were not as they should be. */
  readonly changed: number
  /** Domains that were left out because they or their values are not sound. */
  readonly refused: readonly string[]
}

/**
 * May be called at any time, by several platforms at once: the server takes one at a time, and nothing that is older than what it
 * has. When it resolves, the next request is answered by the state. `folder` may be relative to the home of the platform's user.
 */
export async function applyEdge(host: Host, folder: string, state: EdgeState): Promise<Applied> {
  const { routes, acme, refused } = edgeFiles(state)
  const sizes = { version: state.version, routesBytes: routes.length, bytes: routes.length + acme.length }
  const [, outcome, version, running, changed] = await askEdge(host, {
    command: applyCommand(folder, sizes),
    input: routes + acme,
    expected: /^(applied|stale) (\d+) (live|stopped) (\d+)\n$/,
  })
  return {
    outcome: outcome === 'stale' ? 'stale' : 'applied',
    version: Number(version),
    isLive: running === 'live',
    changed: Number(changed),
    refused,
  }
}
