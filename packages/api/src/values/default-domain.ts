// Domain that is proposed for a new project: beside those of other projects, else below the server.
type Known = {
  readonly name: string
  readonly projectDomains: readonly string[]
  readonly hostnames: readonly string[]
}

/** Empty if nothing is known that could lead to the servers. */
export function defaultDomain({ name, projectDomains, hostnames }: Known): string {
  const label = labelOf(name)
  if (label === '') return ''
  const parents = projectDomains.map((domain) => domain.split('.').slice(1).join('.'))
  const parent = [...parents, ...hostnames].find(isName)
  return parent === undefined ? '' : `${label}.${parent}`
}

/** An environment is called as its branch. */
export const environmentNameOf = (branch: string): string => labelOf(branch).slice(0, 30).replace(/-$/, '') || 'main'

const labelOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 63)

/** No address of a machine: names cannot be below it. A lone word is `localhost` at most. */
const isName = (host: string): boolean =>
  host === 'localhost' || (/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && !/^[0-9.]+$/.test(host))
