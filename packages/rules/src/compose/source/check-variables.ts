// Checks the variables of a compose file: required ones, empty ones, and those that would get into images.
import type { Note } from '../adapt/note.ts'
import type { JsonObject } from '../model.ts'
import { buildParts, checkBuildVariables, partsOf, type ValueAt } from '../policy/check-build-variables.ts'
import { interpolate, type Use } from './interpolation.ts'
import { isReserved, type KnownVariables, knownValue } from './known-variables.ts'

export type VariableFindings = {
  readonly faults: readonly Note[]
  readonly notes: readonly Note[]
  /** Variables of the environment that builds use but must not get. */
  readonly hidden: readonly string[]
}

export function checkVariables(document: JsonObject, known: KnownVariables): VariableFindings {
  const builds = checkBuildVariables(document, known)
  const checked = usesOutsideBuilds(document, known).map((use) => check(use, known))
  return {
    faults: once([...checked.flatMap(({ fault }) => fault ?? []), ...builds.refusals]),
    notes: once([...checked.flatMap(({ note }) => note ?? []), ...builds.notes]),
    hidden: builds.hidden,
  }
}

/** Other sections are used only through aliases from these. */
const SECTIONS = ['services', 'networks', 'volumes', 'secrets', 'configs']

type UseAt = Use & { readonly key: string }

export function usesOutsideBuilds(document: JsonObject, known: KnownVariables): readonly UseAt[] {
  const inBuilds = new Set(buildParts(document).map(({ key }) => key))
  const sections = Object.entries(document).filter(([name]) => SECTIONS.includes(name))
  return partsOf(sections.map(([key, value]) => ({ key, value })))
    .filter(({ key }) => !inBuilds.has(key))
    .flatMap((part) => usesIn(part, known))
}

function usesIn({ key, value }: ValueAt, known: KnownVariables): UseAt[] {
  if (typeof value !== 'string') return []
  return interpolate(value, (name) => knownValue(known, name)).uses.map((use) => ({ ...use, key }))
}

/** Compose silently substitutes nothing for a variable that is not set. */
function check({ key, name, form }: UseAt, known: KnownVariables): { readonly fault?: Note; readonly note?: Note } {
  const value = knownValue(known, name)
  if (value === 'unset' && isReserved(name) && form !== 'default') {
    const sentence = `${key} uses ${name}, a name that the platform keeps for itself: it is empty. Use another name`
    return form === 'required' ? { fault: { key, sentence } } : { note: { key, sentence } }
  }
  if (form === 'required' && value === 'unset') return { fault: { key, sentence: requiredSentence(key, name) } }
  if (form === 'required' && value === 'perhaps') {
    return {
      note: {
        key,
        sentence: `${key} needs the variable ${name}. Set it before the first deployment: shipway vars set ${name}=…`,
      },
    }
  }
  if (form !== 'plain') return {}
  if (value === 'unset')
    return { note: { key, sentence: `${key} uses the variable ${name}, which is not set: it is empty` } }
  if (value === 'perhaps')
    return { note: { key, sentence: `${key} uses the variable ${name}: set it, or it is empty` } }
  return {}
}

const requiredSentence = (key: string, name: string): string =>
  `${key} needs the variable ${name}, which is not set. Set it among the variables of the environment or of the project: ` +
  `shipway vars set ${name}=…`

const once = (notes: readonly Note[]): Note[] => [...new Map(notes.map((note) => [note.sentence, note])).values()]
