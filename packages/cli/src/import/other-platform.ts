// What every import brings: applications of another platform in one form, whatever that platform calls its parts.
import { normaliseDomain } from '@shipway/api/values/hostname'
import { z } from 'zod'

export type Schedule = { readonly name: string; readonly cron: string; readonly command: string }

/** One application, which becomes one environment. */
export type OtherApp = {
  readonly name: string
  /** Address of its repository; undefined if it has none, or none that the platform names. */
  readonly repository: string | undefined
  readonly branch: string | undefined
  /** What the other platform calls the stage that it runs in. */
  readonly stage: string
  readonly domains: readonly string[]
  readonly variables: ReadonlyMap<string, string>
  readonly schedules: readonly Schedule[]
  /** What of it stays behind, and why: one sentence each. */
  readonly leftBehind: readonly string[]
}

export type OtherPlatform = {
  readonly title: string
  readonly apps: readonly OtherApp[]
  /** Parts that belong to no application, such as databases. */
  readonly leftBehind: readonly string[]
}

/** Reads one answer of the other platform: over HTTP, or from a folder that holds the answers. Undefined if there is none. */
export type ReadAnswer = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>

/** More than an installation has that one person moves at once; each costs a few requests. */
export const MOST_APPS = 500

const MOST_TEXT = 64 * 1024

/** A text that may be missing, as in most fields of these platforms. */
export const Text = z.string().max(MOST_TEXT).nullish()
/** Part of an address of the API. */
export const Key = z.union([z.int().transform(String), z.string()]).pipe(z.string().regex(/^[\w-]{1,100}$/))
export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(2000)

/** A host name out of an address, a host name or a mistake. */
function hostOf(text: string): string | undefined {
  const host =
    text
      .trim()
      .replace(/^[a-z]+:\/\//i, '')
      .split(/[/:?#]/, 1)[0] ?? ''
  // The plan names those that an environment cannot have, such as *.example.com.
  const isOdd = /^[\p{L}\p{N}_*.-]{1,253}$/u.test(host) && host.includes('.')
  return normaliseDomain(host) ?? (isOdd ? host.toLowerCase() : undefined)
}

export const hostsOf = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => hostOf(text) ?? [])),
]

/** `owner/name` of a git host, or an address as it is. */
export function repositoryAt(host: string, text: string | null | undefined): string | undefined {
  const name = text?.trim()
  if (!name) return undefined
  return /^[\w.-]+(\/[\w.-]+)+$/.test(name) && !/^[\w-]+\.[a-z]+\//i.test(name)
    ? `git@${host}:${name.replace(/\.git$/, '')}.git`
    : name
}
