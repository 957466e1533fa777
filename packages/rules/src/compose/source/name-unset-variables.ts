// Names the unset variables behind a fault: a value without them is often not what its author wrote.
import type { Fault } from '../../fault.ts'
import type { ReadFiles } from '../read-compose-files.ts'
import { usesOutsideBuilds } from './check-variables.ts'
import { isReserved, knownValue } from './known-variables.ts'

/** Required variables have faults of their own. */
export function nameUnsetVariables(
  faults: readonly Fault[],
  { sources, known }: Pick<ReadFiles, 'sources' | 'known'>,
): readonly Fault[] {
  if (faults.length === 0) return faults
  const unset = new Map<string, Set<string>>()
  for (const { file, document, positions } of sources) {
    for (const { key, name, form } of usesOutsideBuilds(document, known)) {
      // A value that stands elsewhere, behind an alias, has no position of its own.
      const position = positions.get(key)
      if (position === undefined || form !== 'plain' || isReserved(name) || knownValue(known, name) !== 'unset')
        continue
      const place = placeOf({ file, ...position })
      unset.set(place, (unset.get(place) ?? new Set()).add(name))
    }
  }
  return faults.map((fault) => {
    const [name, ...others] = unset.get(placeOf(fault)) ?? []
    return name === undefined ? fault : { ...fault, sentence: `${fault.sentence}. ${unsetSentence([name, ...others])}` }
  })
}

const placeOf = ({ file, line, column }: Omit<Fault, 'sentence'>): string => `${line}:${column}:${file}`

const unsetSentence = (names: readonly string[]): string => {
  const which =
    names.length === 1 ? `the variable ${names[0]}, which is not set` : `${names.join(', ')}, which are not set`
  return `It uses ${which}: shipway vars set ${names.map((name) => `${name}=…`).join(' ')}`
}
