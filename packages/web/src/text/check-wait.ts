// Why the newest commit of an environment is not deployed: its checks at the git host.
import type { Environment } from '@shipway/api'

type CheckWait = NonNullable<Environment['waiting_for_checks']>

const MOST_NAMES = 5

export function describeCheckWait({ state, checks, commit_sha }: CheckWait): string {
  const shown = checks.slice(0, MOST_NAMES).join(', ')
  const names = checks.length > MOST_NAMES ? `${shown} and ${checks.length - MOST_NAMES} more` : shown
  if (state === 'failed') return `${commit_sha.slice(0, 7)} is not deployed: ${names} failed`
  if (state === 'timed_out')
    return names === ''
      ? `${commit_sha.slice(0, 7)} is not deployed: no checks were reported in time`
      : `${commit_sha.slice(0, 7)} is not deployed: ${names} did not pass in time`
  return names === ''
    ? `${commit_sha.slice(0, 7)} waits for checks`
    : `${commit_sha.slice(0, 7)} waits for checks: ${names}`
}
