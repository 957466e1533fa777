// Finds the environment that an earlier import made of each application, whatever was added or deleted at the other platform since. An
// application that has none gets a free name.
import { type Environment, environmentNameOf } from '@shipway/api'
import { Hostname, isUnder } from '@shipway/api/values/hostname'
import { EnvironmentName } from '@shipway/api/values/name'
import type { OtherApp } from './other-platform.ts'

type App = Pick<OtherApp, 'name' | 'stage' | 'branch' | 'domains'>
type Known = Pick<Environment, 'name' | 'type' | 'branch' | 'domain'>

type EnvironmentsToMatch<One extends Known> = {
  readonly apps: readonly App[]
  readonly environments: readonly One[]
  /** Of the project. */
  readonly domain: string
}

export type Match<One extends Known> = { readonly name: string; readonly existing: One | undefined }

/** In the order of the applications. */
export function matchEnvironments<One extends Known>(toMatch: EnvironmentsToMatch<One>): readonly Match<One>[] {
  const found = findExisting(toMatch)
  const taken = new Set(toMatch.environments.map(({ name }) => name))
  return toMatch.apps.map((app) => {
    const existing = found.get(app)
    const name = existing?.name ?? freeName(app, taken)
    taken.add(name)
    return { name, existing }
  })
}

/** The surest sign of all applications counts before the next one: the name of a stage says least about whose environment it is. */
function findExisting<One extends Known>({
  apps,
  environments,
  domain,
}: EnvironmentsToMatch<One>): ReadonlyMap<App, One> {
  const found = new Map<App, One>()
  const left = new Set(environments.filter(({ type }) => type === 'manual'))
  const signs: readonly ((app: App, one: One) => boolean)[] = [
    (app, one) => one.domain === domainOf(app),
    (app, one) => one.name === ownNames(app).at(-1) && mayBeOf(app, one, domain),
    (app, one) => ownNames(app).includes(one.name) && mayBeOf(app, one, domain),
    (app, one) => one.name === usableName(app.stage) && mayBeOf(app, one, domain),
    (app, one) => isNumbered(app, one.name) && mayBeOf(app, one, domain),
  ]
  for (const hasSign of signs) {
    for (const app of apps.filter((one) => !found.has(one))) {
      const one = [...left].find((candidate) => hasSign(app, candidate))
      if (one === undefined) continue
      found.set(app, one)
      left.delete(one)
    }
  }
  return found
}

/** False for what another application was: it has a domain of its own, or another branch. */
const mayBeOf = (app: App, one: Known, projectDomain: string): boolean =>
  (isUnder(one.domain, projectDomain) || one.domain === domainOf(app)) &&
  (app.branch === undefined || app.branch === one.branch)

/** The first that can be one. */
export const domainOf = ({ domains }: Pick<App, 'domains'>): string | undefined =>
  domains.find((host) => Hostname.safeParse(host).success)

/** Names such as `pr-7` belong to pull requests. */
const usableName = (text: string): string => {
  const name = environmentNameOf(text)
  return EnvironmentName.safeParse(name).success ? name : environmentNameOf(`app-${name}`)
}

const ownNames = ({ name, stage }: App): readonly string[] => [name, `${name}-${stage}`].map(usableName)

const numberedPrefix = ({ name }: App): string => `${usableName(name).slice(0, 26)}-`

const isNumbered = (app: App, name: string): boolean =>
  name.startsWith(numberedPrefix(app)) && /^\d+$/.test(name.slice(numberedPrefix(app).length))

function freeName(app: App, taken: ReadonlySet<string>): string {
  const name = [usableName(app.stage), ...ownNames(app)].find((one) => !taken.has(one))
  if (name !== undefined) return name
  let number = 2
  while (taken.has(`${numberedPrefix(app)}${number}`)) number++
  return `${numberedPrefix(app)}${number}`
}
