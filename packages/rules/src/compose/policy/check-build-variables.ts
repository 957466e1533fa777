// Keeps secret variables out of images and build commands. Everyone who has the image can read its build arguments, labels and Dockerfile.
// Builds get variables that are marked as not secret; for others they get the default in the file.
//
// Checks the file as it is written: in Compose's model, the value of a variable looks like any other.
import type { Note } from '../adapt/note.ts'
import type { JsonObject } from '../model.ts'
import { interpolate, type Use } from '../source/interpolation.ts'
import { isReserved, isSecret, type KnownVariables, knownValue, valueInBuild } from '../source/known-variables.ts'
import { objectOf } from './policy-rules.ts'
import { refusal, within } from './refusal.ts'

export type BuildVariables = {
  readonly refusals: readonly Note[]
  readonly notes: readonly Note[]
  readonly hidden: readonly string[]
}

/** `document` is the parsed file. System variables are not secret and may be used. */
export function checkBuildVariables(document: JsonObject, known: KnownVariables): BuildVariables {
  const builds = valuesOf('services', document.services, 'build')
  const uses = [
    ...partsOf(builds).flatMap((part) => interpolations(part, known)),
    ...builds.flatMap(argumentsWithoutValue),
  ]
  const checked = uses.map((use) => check(use, known))
  return {
    refusals: [...checked.flatMap(({ refused }) => refused ?? []), ...inSecrets(document, known)],
    notes: checked.flatMap(({ note }) => note ?? []),
    hidden: [...new Set(uses.map(({ name }) => name).filter((name) => isSecret(known, name)))],
  }
}

export type ValueAt = { readonly key: string; readonly value: unknown }
type UseAt = { readonly key: string; readonly name: string; readonly form: Use['form'] | 'argument' }

/** Everything that is resolved without secret variables. */
export const buildParts = ({ services }: JsonObject): ValueAt[] => partsOf(valuesOf('services', services, 'build'))

function valuesOf(section: string, entries: unknown, name: string): ValueAt[] {
  return Object.entries(objectOf(entries)).map(([entry, definition]) => ({
    key: within(within(section, entry), name),
    value: objectOf(definition)[name],
  }))
}

/** Each part once: aliases can repeat a part many times, even inside itself. */
export function partsOf(wholes: readonly ValueAt[]): ValueAt[] {
  const parts = [...wholes]
  const seen = new Set<unknown>()
  for (const { key, value } of parts) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
    for (const [name, inner] of entries) parts.push({ key: within(key, name), value: inner })
  }
  return parts
}

function interpolations({ key, value }: ValueAt, known: KnownVariables): UseAt[] {
  if (typeof value !== 'string') return []
  const { uses } = interpolate(value, (name) => valueInBuild(known, name))
  const named = new Set(uses.map(({ name }) => name))
  // Anything else that looks like a variable counts too, in case Compose parses the text differently.
  const seen = [...value.matchAll(/\$(?:\$|\{?([a-z_][a-z0-9_]*))/gi)].flatMap(([, name]) =>
    name === undefined || named.has(name) ? [] : [{ name, form: 'plain' as const }],
  )
  const isSeen = ({ name }: { readonly name: string }): boolean => isSecret(known, name)
  return [...uses, ...seen.filter(isSeen)].map((use) => ({ ...use, key }))
}

/** Compose gives such an argument the value of the variable of that name, or omits it. */
function argumentsWithoutValue({ key, value }: ValueAt): UseAt[] {
  const { args } = objectOf(value)
  const named = Array.isArray(args)
    ? args.map((name, index) => [index, String(name)] as const)
    : Object.entries(objectOf(args)).flatMap(([name, given]) => (given === null ? [[name, name] as const] : []))
  return named
    .filter(([, variable]) => /^[a-z_][a-z0-9_]*$/i.test(variable))
    .map(([name, variable]) => ({ key: within(`${key}.args`, name), name: variable, form: 'argument' }))
}

function check({ key, name, form }: UseAt, known: KnownVariables): { readonly refused?: Note; readonly note?: Note } {
  const shown = name.slice(0, LONGEST_NAME)
  if (isSecret(known, name)) {
    const isGiven = form === 'default' || form === 'alternative'
    const sentence = `${key} is built with the default of ${shown}, not with the variable of the environment: mark that one for builds to have it there`
    return isGiven ? { note: { key, sentence } } : { refused: secretRefusal(key, shown) }
  }
  const value = knownValue(known, name)
  if (value === 'unset' && form === 'required') return { refused: { key, sentence: missingSentence(key, shown) } }
  if (value === 'unset' && form === 'plain') {
    const why = isReserved(name) ? 'a name that the platform keeps for itself' : 'which is not set'
    return { note: { key, sentence: `${key} uses the variable ${shown}, ${why}: it is empty in the build` } }
  }
  if (value !== 'perhaps' || form === 'default' || form === 'alternative') return {}
  return {
    note: { key, sentence: `${key} uses the variable ${shown}: builds get it only where it is marked for builds` },
  }
}

function secretRefusal(key: string, name: string): Note {
  const id = name.toLowerCase()
  return refusal(key, {
    what: `takes the variable ${name}, but builds get no secret variables`,
    advice:
      `Mark it for builds if it is no secret (shipway vars set --build ${name}=…), write \${${name}:-default}, or pass it as a build secret: ` +
      `secrets: { ${id}: { environment: ${name} } } in the file, secrets: [${id}] in build, RUN --mount=type=secret,id=${id} in the Dockerfile`,
  })
}

const missingSentence = (key: string, name: string): string =>
  `${key} needs the variable ${name}, which is not set. Set it and mark it for builds: shipway vars set --build ${name}=…`

/** The source of a build secret is part of the build command. */
function inSecrets({ secrets }: JsonObject, known: KnownVariables): Note[] {
  const parts = partsOf([...valuesOf('secrets', secrets, 'file'), ...valuesOf('secrets', secrets, 'environment')])
  return parts
    .flatMap((part) => interpolations(part, known))
    .filter(({ name }) => isSecret(known, name) || known.custom === null)
    .map(({ key, name }) =>
      refusal(key, {
        what: `takes the variable ${name.slice(0, LONGEST_NAME)}, which would stand in the command that builds`,
        advice: 'Write the value itself',
      }),
    )
}

const LONGEST_NAME = 128
