// Checks which other files a compose file would read or fetch, before Compose reads it.
//
// Compose merges `extends`, `include` and `env_file` into its model without their origin. Another environment's variables could be read
// through them without a trace.
import { posix } from 'node:path'
import { safeText } from '../../safe-text.ts'
import type { Refusal } from '../model.ts'
import { isTooLong, leadsOut, passesLink } from '../mounts/checkout-path.ts'
import { objectOf } from './policy-rules.ts'
import { type Reason, refusal, within } from './refusal.ts'

/** Both relative to the checkout. Paths in the file are relative to `folder`, Compose's project directory. */
export type ComposeSource = { readonly file: string; readonly folder: string }

/**
 * `document` is the parsed file. `files` are the compose files that it includes or extends, to be checked in the same way. `reads` are all
 * files that Compose reads for it, including optional ones.
 */
export function checkComposeSource(
  document: unknown,
  source: ComposeSource,
  links: ReadonlySet<string> = new Set(),
): { refusals: Refusal[]; files: ComposeSource[]; included: ComposeSource[]; reads: string[] } {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    const what = 'is not a mapping of services'
    return {
      refusals: [refusal(safeText(source.file), { what, advice: 'Write it as a compose file' })],
      files: [],
      included: [],
      reads: [],
    }
  }
  const { include, services } = objectOf(document)
  const check = (uses: readonly Use[]) => uses.map((use) => ({ use, fault: faultOf(use, links) }))
  const included = check(includes(include, source))
  const checked = [...included, ...check(ofServices(services, source))]
  const drawn = checked.flatMap(({ use, fault }) => (fault ? [refusal(use.key, fault)] : []))
  const found = [...unknownKeys(include), ...drawn]
  return {
    refusals: [...new Map(found.map((one) => [one.sentence, one])).values()],
    files: drawnBy(checked),
    included: drawnBy(included),
    reads: checked.flatMap(({ use, fault }) => (fault ? [] : [pathOf(use)])),
  }
}

/** A path in the file. `draws` turns it into a compose source; null for other kinds of files. */
type Use = {
  readonly key: string
  readonly path: unknown
  readonly base: string
  readonly draws: ((path: string) => ComposeSource) | null
}

const drawnBy = (checked: readonly { readonly use: Use; readonly fault: Reason | undefined }[]): ComposeSource[] =>
  checked.flatMap(({ use, fault }) => (fault || use.draws === null ? [] : [use.draws(pathOf(use))]))

const pathOf = ({ base, path }: Use): string => posix.normalize(posix.join(base, String(path)))

function faultOf(use: Use, links: ReadonlySet<string>): Reason | undefined {
  const { path } = use
  const advice = 'Name a file of the repository by its plain path'
  if (typeof path !== 'string' || path === '' || path.includes('\0') || isTooLong(path))
    return { what: 'is not a path', advice }
  if (path.includes('$')) return { what: 'holds a variable, so that the path cannot be checked', advice }
  if (/^(?:[a-z][a-z0-9+.-]*:|[^@]*@.*:|github\.com\/)/is.test(path))
    return { what: 'leads to another machine', advice }
  if (path.startsWith('~') || posix.isAbsolute(path) || leadsOut(pathOf(use))) {
    return { what: 'leads out of the checkout', advice }
  }
  return passesLink(pathOf(use), links) ? { what: 'passes a symbolic link', advice } : undefined
}

function ofServices(services: unknown, { folder }: ComposeSource): Use[] {
  return Object.entries(objectOf(services)).flatMap(([name, service]) => {
    const key = within('services', name)
    const { extends: base, env_file: envFile, label_file: labelFile } = objectOf(service)
    return [
      ...extended(base, `${key}.extends.file`, folder),
      ...files(envFile, `${key}.env_file`, folder),
      ...files(labelFile, `${key}.label_file`, folder),
    ]
  })
}

/** A service can extend one of the same file, which is then only a name. */
function extended(base: unknown, key: string, folder: string): Use[] {
  const path = objectOf(base).file
  if (path === undefined || path === null) return []
  const draws = (drawn: string): ComposeSource => ({ file: drawn, folder: posix.dirname(drawn) })
  return [{ key, path, base: folder, draws }]
}

function files(value: unknown, key: string, base: string): Use[] {
  return listOf(value).map((entry, index) => ({
    key: Array.isArray(value) ? within(key, index) : key,
    path: typeof entry === 'object' && entry !== null && 'path' in entry ? entry.path : entry,
    base,
    draws: null,
  }))
}

function includes(value: unknown, { folder }: ComposeSource): Use[] {
  return listOf(value).flatMap((entry, index) => {
    const key = within('include', index)
    const { path = entry, env_file: envFile, project_directory: directory } = objectOf(entry)
    const first = listOf(path)[0]
    const own = directory ?? posix.dirname(String(first))
    const draws = (file: string): ComposeSource => ({ file, folder: posix.normalize(posix.join(folder, String(own))) })
    return [
      ...listOf(path).map((each) => ({ key, path: each, base: folder, draws })),
      ...files(envFile, `${key}.env_file`, folder),
      ...(directory === undefined ? [] : files(directory, `${key}.project_directory`, folder)),
      // Compose reads this one by default.
      ...(listOf(envFile).length === 0
        ? [{ key, path: posix.join(String(own), '.env'), base: folder, draws: null }]
        : []),
    ]
  })
}

/** Compose ignores the case of these keys, and ignores unknown ones. */
function unknownKeys(include: unknown): Refusal[] {
  const advice = `Use only ${INCLUDE_KEYS.join(', ')}, written like this`
  return listOf(include).flatMap((entry, index) =>
    Object.keys(objectOf(entry))
      .filter((name) => !INCLUDE_KEYS.includes(name))
      .map((name) => refusal(within(within('include', index), name), { what: 'is not a key of include', advice })),
  )
}

const INCLUDE_KEYS = ['path', 'env_file', 'project_directory']

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
