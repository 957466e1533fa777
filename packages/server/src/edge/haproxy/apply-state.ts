// Applies a state to HAProxy on a server: to its files, and to the process if it runs.
import type { Host } from '../../remote/host.ts'
import { askHaproxy } from './ask-haproxy.ts'
import { applyCommand } from './haproxy-scripts.ts'
import { type HaproxyState, haproxyFiles } from './haproxy-state.ts'

export type AppliedState = {
  /** `stale`: the server already has a newer state, and keeps it. */
  readonly outcome: 'applied' | 'stale'
  /** Of the state that the server has now. */
  readonly version: number
  /** If HAProxy does not run, it reads the files when it starts. */
  readonly isLive: boolean
  /** How many entries of the running HAProxy had to be corrected. */
  readonly changed: number
  /** Domains that were left out because they or their values are invalid. */
  readonly refused: readonly string[]
}

/**
 * May be called at any time, also by several processes at once: the server applies one state at a time and refuses older ones. When
 * it resolves, the next request is answered by the state. `folder` may be relative to the home of the platform's user.
 */
export async function applyHaproxyState(host: Host, folder: string, state: HaproxyState): Promise<AppliedState> {
  const { routes, acme, refused } = haproxyFiles(state)
  const sizes = { version: state.version, routesBytes: routes.length, bytes: routes.length + acme.length }
  const [, outcome, version, running, changed] = await askHaproxy(host, {
    command: applyCommand(folder, sizes),
    input: routes + acme,
    expected: /^(applied|stale) (\d{1,15}) (live|stopped) (\d{1,15})\n$/,
  })
  return {
    outcome: outcome === 'stale' ? 'stale' : 'applied',
    version: Number(version),
    isLive: running === 'live',
    changed: Number(changed),
    refused,
  }
}
