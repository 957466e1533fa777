// Makes HAProxy on a server balance over upstreams: in its files, and in the process if it runs.
import { balanceGroups } from '../../domain/balance-groups.ts'
import type { Host } from '../../remote/host.ts'
import { askHaproxy } from './ask-haproxy.ts'
import { balanceCommand } from './haproxy-scripts.ts'

export type UpstreamsToApply = {
  /** A higher version is a list that was read later. */
  readonly version: number
  /** Of `upstreamList`. */
  readonly text: string
  /** Ports of groups whose upstreams must answer HAProxy. */
  readonly joining: readonly number[]
}

export type BalancedUpstreams = {
  /** `stale`: the server already has a newer list, and keeps it. */
  readonly outcome: 'balanced' | 'stale'
  /** Of the list that the server has now. */
  readonly version: number
  /** If HAProxy does not run, it reads the list when it starts. */
  readonly isLive: boolean
  /** How many servers of the running HAProxy had to be added, changed or taken out. */
  readonly changed: number
  /** A few upstreams of the joining groups that did not answer HAProxy within five seconds, as `port/name`. */
  readonly silent: readonly string[]
}

/** May be called at any time, also by several processes at once: the server applies one list at a time and refuses older ones. */
export async function balanceHaproxy(
  host: Host,
  folder: string,
  { version, text, joining }: UpstreamsToApply,
): Promise<BalancedUpstreams> {
  const [, outcome, applied, running, changed, silent = '-'] = await askHaproxy(host, {
    command: balanceCommand(folder, { version, bytes: text.length, groups: balanceGroups, joining }),
    input: text,
    expected:
      /^(balanced|stale) (\d{1,15}) (live|stopped) (\d{1,15}) (-|\d{1,5}\/[\w-]{1,64}(?:,\d{1,5}\/[\w-]{1,64}){0,2})\n$/,
  })
  return {
    outcome: outcome === 'stale' ? 'stale' : 'balanced',
    version: Number(applied),
    isLive: running === 'live',
    changed: Number(changed),
    silent: silent === '-' ? [] : silent.split(','),
  }
}
