// Services that extend one which is not there, or in the end themselves.
import { posix } from 'node:path'
import { objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import type { ReadSource } from '../source/read-source.ts'
import type { FormFault } from './check-kinds.ts'

export function checkExtends(source: ReadSource, sources: readonly ReadSource[]): readonly FormFault[] {
  return Object.keys(objectOf(source.document.services)).flatMap((name) => {
    const key = `${within('services', name)}.extends`
    const seen = new Set<string>()
    for (let place = baseOf({ source, name }, sources); place; place = baseOf(place, sources)) {
      const { source: from, name: base } = place
      const id = `${from.folder}\n${from.file}\n${base}`
      if (seen.has(id)) return [{ key, sentence: `${key} leads back to where it began. Take one of them out` }]
      seen.add(id)
      if (Object.hasOwn(objectOf(from.document.services), base)) continue
      return [{ key, sentence: `${key} names the service ${base}, which is not in ${from.file}` }]
    }
    return []
  })
}

type Place = { readonly source: ReadSource; readonly name: string }

/** Undefined where the service extends none, or the file could not be read, of which others speak. */
function baseOf({ source, name }: Place, sources: readonly ReadSource[]): Place | undefined {
  const { extends: base } = objectOf(objectOf(source.document.services)[name])
  if (typeof base === 'string') return { source, name: base }
  const { file, service } = objectOf(base)
  if (typeof service !== 'string') return undefined
  if (typeof file !== 'string') return { source, name: service }
  const path = posix.normalize(posix.join(source.folder, file))
  const from = sources.find((one) => one.file === path && one.folder === posix.dirname(path))
  return from && { source: from, name: service }
}
