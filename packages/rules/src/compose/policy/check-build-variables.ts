// Keeps variables out of images and of the commands that build them. What a build argument, a label or the Dockerfile holds can be read
// by whoever has the image, and the images of a commit serve its later deployments too, whatever the variables are by then.
//
// Judged in the file as it is written: in the model that Compose makes of it, the value of a variable looks like any other.
import { SYSTEM_KEYS } from '@shipway/api/variables'
import type { JsonObject, Refusal } from '../model.ts'
import { objectOf } from './policy-rules.ts'
import { type Reason, refusal, within } from './refusal.ts'

/** `document` is the file as parsed. The system's variables are no secrets and may be used. */
export function checkBuildVariables({ services, secrets }: JsonObject): Refusal[] {
  const builds = valuesOf('services', services, 'build')
  const parts = partsOf([
    ...builds,
    ...valuesOf('secrets', secrets, 'file'),
    ...valuesOf('secrets', secrets, 'environment'),
  ])
  const uses = [...parts.flatMap(interpolations), ...builds.flatMap(argumentsWithoutValue)]
  return uses
    .filter(({ variable }) => !SYSTEM.has(variable))
    .map(({ key, variable }) => refusal(key, reasonOf(variable)))
}

type ValueAt = { readonly key: string; readonly value: unknown }
type Use = { readonly key: string; readonly variable: string }

function valuesOf(section: string, entries: unknown, name: string): ValueAt[] {
  return Object.entries(objectOf(entries)).map(([entry, definition]) => ({
    key: within(within(section, entry), name),
    value: objectOf(definition)[name],
  }))
}

/** Each part once: aliases can repeat one in many places, and even within itself. */
function partsOf(wholes: readonly ValueAt[]): ValueAt[] {
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

/** `$NAME`, `${NAME}`, `${NAME:-other}`, and those in place of `other`. Two dollar signs stand for one. */
function interpolations({ key, value }: ValueAt): Use[] {
  if (typeof value !== 'string') return []
  const found = value.matchAll(/\$(?:\$|\{?([a-z_][a-z0-9_]*))/gi)
  return [...found].flatMap(([, variable]) => (variable === undefined ? [] : [{ key, variable }]))
}

/** Compose gives such an argument the value of the variable that has its name. */
function argumentsWithoutValue({ key, value }: ValueAt): Use[] {
  const { args } = objectOf(value)
  const named = Array.isArray(args)
    ? args.map((name, index) => [index, String(name)] as const)
    : Object.entries(objectOf(args)).flatMap(([name, given]) => (given === null ? [[name, name] as const] : []))
  return named
    .filter(([, variable]) => /^[a-z_][a-z0-9_]*$/i.test(variable))
    .map(([name, variable]) => ({ key: within(`${key}.args`, name), variable }))
}

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_KEYS)

function reasonOf(variable: string): Reason {
  const name = variable.slice(0, LONGEST_NAME)
  const id = name.toLowerCase()
  return {
    what: `takes the variable ${name}, but images are built without variables`,
    advice: `Write the value itself, or pass a secret one as a build secret: secrets: { ${id}: { environment: ${name} } } in the file, secrets: [${id}] in build, RUN --mount=type=secret,id=${id} in the Dockerfile`,
  }
}

const LONGEST_NAME = 128
