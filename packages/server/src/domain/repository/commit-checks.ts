// Checks of a commit at its git host, and whether a deployment may follow them.

/** Commit statuses and check runs of this platform, and of every other one, begin with this. */
export const OWN_CHECKS = 'shipway/'

export type ReportedCheck = { readonly name: string; readonly state: 'pending' | 'green' | 'red' }

export type ChecksVerdict =
  | { readonly kind: 'green' }
  /** None yet: nothing is reported. */
  | { readonly kind: 'pending'; readonly names: readonly string[] }
  | { readonly kind: 'red'; readonly name: string }

/**
 * `names`: those that count; none of them: all that are reported. Several checks can have one name: each of them counts. The checks of
 * this platform never do, else a deployment would wait for itself.
 */
export function checksVerdict(reported: readonly ReportedCheck[], names: readonly string[]): ChecksVerdict {
  const others = reported.filter(({ name }) => !name.startsWith(OWN_CHECKS))
  const counted = names.length === 0 ? others : others.filter(({ name }) => names.includes(name))
  const red = counted.find(({ state }) => state === 'red')
  if (red) return { kind: 'red', name: red.name }
  const missing = names.filter((name) => !others.some((check) => check.name === name))
  const pending = counted.filter(({ state }) => state === 'pending').map(({ name }) => name)
  const open = [...new Set([...pending, ...missing])]
  return open.length > 0 || counted.length === 0 ? { kind: 'pending', names: open } : { kind: 'green' }
}

/** Of a project. */
export type DeployAfterChecks = { readonly names: readonly string[]; readonly minutes: number }

export const DEFAULT_CHECKS_MINUTES = 30

/** Where no names are given, one green check may come before the next is reported: all must stay green for this long. */
export const SETTLE_MS = 15_000

type CheckWaitState = 'waiting' | 'failed' | 'timed_out'

/** An environment whose newest commit is not deployed, because of its checks. */
export type CheckWait = {
  readonly state: CheckWaitState
  readonly sha: string
  readonly since: number
  readonly deadlineAt: number
  /** Those that are not green, or the one that failed. */
  readonly openChecks: readonly string[]
}
