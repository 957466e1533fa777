// Groups environments under headings, in the order of the API.
import type { Environment } from '@shipway/api'

export function groupEnvironments(
  environments: readonly Environment[],
): readonly (readonly [string, readonly Environment[]])[] {
  const groups: readonly (readonly [string, readonly Environment[]])[] = [
    ['Sticky', environments.filter(({ sticky }) => sticky)],
    ['Manual', environments.filter(({ sticky, type }) => !sticky && type === 'manual')],
    ['Pull requests', environments.filter(({ sticky, type }) => !sticky && type === 'pull_request')],
  ]
  return groups.filter(([, members]) => members.length > 0)
}
