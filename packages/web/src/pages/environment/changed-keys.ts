// Keys of variables that were set after the last deployment began. Removed variables have no record any more.
import type { Task, Variables } from '@shipway/api'

type Variable = Variables['variables'][number]

/** Newest first. `tasks` are the newest ones, newest first. */
export function changedVariables(
  variables: readonly Variable[],
  tasks: readonly Pick<Task, 'kind' | 'started_at'>[],
): readonly Variable[] {
  const taken = tasks.find(({ kind, started_at }) => (kind === 'deploy' || kind === 'reset') && started_at !== null)
  return variables
    .filter(({ updated_at }) => taken?.started_at == null || updated_at > taken.started_at)
    .toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))
}

const NAMED = 5

/** “A, B and C”; of more than six the first five, and how many more. */
export function nameKeys(keys: readonly string[]): { readonly named: readonly string[]; readonly more: number } {
  const shown = keys.length > NAMED + 1 ? NAMED : keys.length
  return { named: keys.slice(0, shown), more: keys.length - shown }
}
