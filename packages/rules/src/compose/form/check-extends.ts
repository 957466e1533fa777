// Finds services that extend a missing service, or themselves through others.
import { posix } from 'node:path'
import { objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import type { ReadSource } from '../source/read-source.ts'
import type { FormFault } from './check-kinds.ts'

/** How many levels are followed. */
const MOST_EXTENDED = 20

export function checkExtends(source: ReadSource, servicesOf: ServicesOf): readonly FormFault[] {
  return [...servicesOf(source).keys()].flatMap((name) => {
    const key = `${within('services', name)}.extends`
    let location: ServiceLocation | undefined = { source, name }
    for (let depth = 0; depth <= MOST_EXTENDED; depth += 1) {
      location = baseOf(location, servicesOf)
      if (!location) return []
      if (servicesOf(location.source).has(location.name)) continue
      return [{ key, sentence: `${key} names the service ${location.name}, which is not in ${location.source.file}` }]
    }
    return [{ key, sentence: `${key} leads back to where it began, or through more than ${MOST_EXTENDED} services` }]
  })
}

type ServiceLocation = { readonly source: ReadSource; readonly name: string }

/** The services of a source, and `find` for the source at a path. */
export type ServicesOf = ((source: ReadSource) => ReadonlyMap<string, unknown>) & {
  readonly find: (path: string) => ReadSource | undefined
}

export function servicesIn(sources: readonly ReadSource[]): ServicesOf {
  const services = new Map(
    sources.map((source) => [source, new Map(Object.entries(objectOf(source.document.services)))]),
  )
  const find = (path: string): ReadSource | undefined =>
    sources.find(({ file, folder }) => file === path && folder === posix.dirname(path))
  return Object.assign((source: ReadSource) => services.get(source) ?? new Map(), { find })
}

/** Undefined if the service extends none, or the file could not be read, which is reported elsewhere. */
function baseOf({ source, name }: ServiceLocation, servicesOf: ServicesOf): ServiceLocation | undefined {
  const { extends: base } = objectOf(servicesOf(source).get(name))
  if (typeof base === 'string') return { source, name: base }
  const { file, service } = objectOf(base)
  if (typeof service !== 'string') return undefined
  if (typeof file !== 'string') return { source, name: service }
  const from = servicesOf.find(posix.normalize(posix.join(source.folder, file)))
  return from && { source: from, name: service }
}
