// Reads the compose files of a commit before Compose does: finds their faults, and what Compose needs in order to accept them.
import { posix } from 'node:path'
import type { Fault, Remark } from '../fault.ts'
import type { JsonObject } from './model.ts'
import { leadsOut } from './mounts/checkout-path.ts'
import type { ExplicitWrite } from './mounts/explicit-writes.ts'
import { objectOf } from './policy/policy-rules.ts'
import { within } from './policy/refusal.ts'
import { UnreadableCompose } from './read-compose-model.ts'
import { checkVariables } from './source/check-variables.ts'
import { collectSources, faultAt, locate, type SourceFiles } from './source/collect-sources.ts'
import { parseDotenv } from './source/dotenv.ts'
import { isReserved, type KnownVariables } from './source/known-variables.ts'
import { listOf } from './source/normal-service.ts'
import type { ReadSource } from './source/read-source.ts'
import { type Resolved, type ResolveOptions, resolveSources } from './source/resolve-sources.ts'

export type FilesToRead = SourceFiles & {
  readonly profiles: readonly string[]
  readonly custom: KnownVariables['custom']
}

export type ReadFiles = {
  readonly sources: readonly ReadSource[]
  /** All named, included and extended files could be read and merged. */
  readonly isWhole: boolean
  readonly known: KnownVariables
  /** The merged document as Compose would resolve it, with `CHECKOUT` as the checkout and `PROJECT` as the project name. */
  readonly document: JsonObject
  readonly leftOut: readonly LeftOut[]
  readonly writes: readonly ExplicitWrite[]
  /** All files of the checkout that Compose reads, including optional ones. */
  readonly reads: readonly string[]
  /** The existing `env_file`s of services that name a missing one; relative to the checkout. */
  readonly envFiles: Readonly<Record<string, readonly string[]>>
  /** Whether the commit has default values for variables, or a file uses `PWD`. */
  readonly hasDefaults: boolean
  /** Variables of the environment that builds must not get. */
  readonly hidden: readonly string[]
  readonly faults: readonly Fault[]
  readonly remarks: readonly Remark[]
}

/** A service whose profile nothing enables. */
export type LeftOut = { readonly name: string; readonly profiles: readonly string[] }

export const CHECKOUT = '/checkout'
export const PROJECT = 'project'

export async function readComposeFiles(reading: FilesToRead): Promise<ReadFiles> {
  const { files, profiles, custom, read } = reading
  const { sources, isWhole, faults } = await collectSources(reading)
  const folder = posix.dirname(files[0] ?? '.')
  const dotenv = await readDotenv(posix.join(folder, '.env'), reading)
  const known = { custom, defaults: dotenv.values, directory: posix.join(CHECKOUT, folder) }
  const variables = sources.map((source) => ({ source, ...checkVariables(source.document, known) }))
  const resolved = resolve({ sources, files, known, checkout: CHECKOUT, projectName: PROJECT })
  const { services, leftOut } = byProfile(objectOf(resolved.document.services), resolved.profiles, profiles)
  const env = await absentFiles(services, read)
  const notes = [
    ...sources.flatMap(({ document }) => (document.name === undefined ? [] : [{ key: 'name', sentence: NAME }])),
    ...leftOut.map((one) => ({ key: `${within('services', one.name)}.profiles`, sentence: leftOutSentence(one) })),
    ...env.notes,
  ]
  return {
    sources,
    isWhole: isWhole && resolved.faults.length === 0,
    known,
    document: { ...resolved.document, services },
    leftOut,
    writes: sources.flatMap(({ writes }) => writes),
    reads: [...new Set(sources.flatMap(({ file, reads }) => [file, ...reads]))],
    envFiles: env.files,
    hasDefaults: known.defaults.size > 0 || sources.some(({ asksForFolder }) => asksForFolder),
    hidden: [...new Set(variables.flatMap(({ hidden }) => hidden))],
    faults: [
      ...faults,
      ...resolved.faults,
      ...variables.flatMap((one) => one.faults.map(({ key, sentence }) => faultAt(one.source, key, sentence))),
    ],
    remarks: [
      ...notes.map(({ key, sentence }) => remarkOn(sources, files, { key, sentence })),
      ...dotenv.remarks,
      ...variables.flatMap((one) => one.notes.map(({ key, sentence }) => faultAt(one.source, key, sentence))),
    ],
  }
}

/** A document that is too large is a fault of the first file. */
function resolve(resolving: ResolveOptions): Resolved & { readonly faults: readonly Fault[] } {
  try {
    return { ...resolveSources(resolving), faults: [] }
  } catch (error) {
    if (!(error instanceof UnreadableCompose)) throw error
    const fault = { file: resolving.files[0] ?? '', line: 1, column: 1, sentence: error.message }
    return { document: { name: resolving.projectName, services: {} }, profiles: new Map(), faults: [fault] }
  }
}

const NAME = 'name is left out: the compose project of an environment has a name of its own'

export function remarkOn(
  sources: readonly ReadSource[],
  files: readonly string[],
  { key, sentence }: { readonly key: string; readonly sentence: string },
): Remark {
  return { ...(locate(sources, key) ?? { file: files[0] ?? '', line: 1, column: 1 }), sentence }
}

async function readDotenv(file: string, { links, read }: SourceFiles) {
  const refuse = (sentence: string) => ({
    values: new Map<string, string>(),
    remarks: [{ file, line: 1, column: 1, sentence }],
  })
  const content = links.has(file) ? 'The file is a symbolic link, and is not read' : await read(file)
  if (content === undefined) return { values: new Map<string, string>(), remarks: [] }
  if (typeof content === 'string') return refuse(content)
  const all = parseDotenv(new TextDecoder().decode(content))
  const reserved = [...all.keys()].filter(isReserved)
  const sentence = `The platform keeps ${reserved.join(', ')} for itself: the file gives no value for it`
  return {
    values: new Map([...all].filter(([name]) => !reserved.includes(name))),
    remarks: reserved.length === 0 ? [] : refuse(sentence).remarks,
  }
}

function byProfile(services: JsonObject, profiles: ReadonlyMap<string, readonly string[]>, enabled: readonly string[]) {
  const isOut = (name: string): boolean => {
    const own = profiles.get(name) ?? []
    // Compose enables the profile without a name where no other is enabled.
    const isDefault = enabled.length === 0 && own.includes('')
    return own.length > 0 && !isDefault && !own.some((profile) => enabled.includes(profile))
  }
  const entries = Object.entries(services)
  return {
    services: Object.fromEntries(entries.filter(([name]) => !isOut(name))),
    leftOut: entries.filter(([name]) => isOut(name)).map(([name]) => ({ name, profiles: profiles.get(name) ?? [] })),
  }
}

const leftOutSentence = ({ name, profiles }: LeftOut): string =>
  `${within('services', name)} is left out, since nothing enables its profile. ` +
  `To have it: docker: { profiles: [${profiles[0]}] } in .service.yml`

/** Compose would refuse a missing `env_file`. */
async function absentFiles(services: JsonObject, read: SourceFiles['read']) {
  const files: Record<string, readonly string[]> = {}
  const notes: { readonly key: string; readonly sentence: string }[] = []
  const isThere = new Map<string, boolean>()
  for (const [name, service] of Object.entries(services)) {
    const named = listOf(objectOf(service).env_file).map((entry) =>
      posix.relative(CHECKOUT, String(objectOf(entry).path)),
    )
    for (const path of named) {
      // A path outside the checkout is refused elsewhere, and not read.
      if (!isThere.has(path)) isThere.set(path, leadsOut(path) || (await read(path)) !== undefined)
    }
    const absent = named.filter((path) => isThere.get(path) === false)
    if (absent.length === 0) continue
    files[name] = named.filter((path) => isThere.get(path) === true)
    const key = `${within('services', name)}.env_file`
    for (const path of absent) {
      const sentence = `${key}: ${path} is not in the repository, and is left out. Services get the variables of the environment anyway`
      notes.push({ key, sentence })
    }
  }
  return { files, notes }
}
