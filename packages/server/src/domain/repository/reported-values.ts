// Reads single values of a git host's payload; undefined if a value cannot be used.
// Git hosts change the type of a field between versions; an unneeded field must not make the rest unusable.
import { Branch } from '@shipway/api/values/branch'
import { safeText } from '@shipway/rules/safe-text'
import { NO_COMMIT } from './repository-event.ts'

/** A field at whatever depth; undefined if one on the way is missing or no object. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(
    (found: unknown, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  )
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Nothing if it is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export function branchOf(value: unknown): string | undefined {
  const { success, data } = Branch.safeParse(value)
  return success ? data : undefined
}

/** A commit that is one: `NO_COMMIT` is not. Bitbucket Cloud shortens them to twelve characters. */
export function commitOf(value: unknown): string | undefined {
  const isCommit = typeof value === 'string' && /^([0-9a-f]{12}|[0-9a-f]{40})$/.test(value)
  return isCommit && !NO_COMMIT.startsWith(value) ? value : undefined
}

export const isWholeHash = (sha: string): boolean => /^[0-9a-f]{40}$/.test(sha)

/** Only a whole number in JSON: it becomes a part of a host name. */
export function numberOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && typeof value === 'number' && value > 0 && value < 2 ** 31 ? value : undefined
}

/** The id that a git host has for a repository, where ids are numbers. */
export function numericIdOf(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}

/** Where ids are texts: one that can be stored. */
export function textIdOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,100}$/.test(value) ? value : undefined
}

/** Milliseconds, of a number of them or of a text. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : value
  return typeof at === 'number' && Number.isSafeInteger(at) && at >= 0 ? at : undefined
}

const MOST_CHARACTERS = 200
/** Only this much of an endless text is read. */
const MOST_READ = 10_000

/** What people wrote, as it may be stored and shown. */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  return Array.from(safeText(text.slice(0, MOST_READ)).replaceAll(/\s+/g, ' '))
    .slice(0, MOST_CHARACTERS)
    .join('')
    .trim()
}

const MOST_LABELS = 100

/** Names of labels, each once. */
export function labelsOf(value: unknown): readonly string[] {
  const names = listOf(value).slice(0, MOST_LABELS).map(textOf)
  return [...new Set(names)].filter((name) => name !== '')
}

export const nameOf = (value: unknown): string | null => textOf(value) || null

/** Only what a browser may be led to. */
export function urlOf(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null
}
