/**
 * Reads `.gitmodules`. Only the simple form that git itself writes is accepted, and of it only what cannot run anything, leave the checkout
 * or be taken for an option: later versions of git refuse the same, and a platform must not depend on which one is installed.
 */
import { parseRepositoryAddress } from '@shipway/api/values/repository-address'
import type { Fault } from '../fault.ts'
import { safeText } from '../safe-text.ts'

export const SUBMODULES_FILE = '.gitmodules'
export const MOST_SUBMODULES_BYTES = 64 * 1024

/** `isLeftOut`: its folder stays empty, as its author says. */
export type Submodule = {
  readonly path: string
  readonly url: string
  readonly isLeftOut: boolean
  readonly line: number
}

type Section = { readonly name: string; readonly line: number; readonly values: Map<string, string> }

export type ReadSubmodules = { readonly submodules: readonly Submodule[]; readonly faults: readonly Fault[] }

export function readSubmodules(content: Uint8Array): ReadSubmodules {
  const faults: Fault[] = []
  const refuse = (line: number, sentence: string): void =>
    void faults.push({ file: SUBMODULES_FILE, line, column: 1, sentence: safeText(sentence) })
  const submodules = readSections(new TextDecoder().decode(content), refuse).flatMap((section) => {
    const sentence = faultOf(section)
    if (sentence !== undefined) refuse(section.line, `Submodule ${quoted(section.name)}: ${sentence}`)
    const { values, line } = section
    const [path, url] = [values.get('path'), values.get('url')]
    if (sentence !== undefined || path === undefined || url === undefined) return []
    return [{ path, url: url.replace(/(?<=[^/])\/$/, ''), isLeftOut: values.get('update') === 'none', line }]
  })
  const paths = new Set<string>()
  for (const { path, line } of submodules) {
    if (paths.has(path)) refuse(line, `Two submodules have the path ${quoted(path)}. Remove one of them`)
    paths.add(path)
  }
  return { submodules, faults }
}

const HEADER = /^\[submodule "([^"\\\p{Cc}]*)"\]$/u
const OTHER_HEADER = /^\[[^\]]*\]$/
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)\s*=(?:\s*"([^"\\]*)"|([^"\\#;]*))$/

type Refuse = (line: number, sentence: string) => void

function readSections(text: string, refuse: Refuse): readonly Section[] {
  const sections: Section[] = []
  const names = new Set<string>()
  let current: Section | undefined
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const [line, entry] = [index + 1, raw.trim()]
    if (entry === '' || /^[#;]/.test(entry)) continue
    const name = HEADER.exec(entry)?.[1]
    if (name !== undefined) {
      if (names.has(name)) refuse(line, `Submodule ${quoted(name)} is named twice. Remove one of the sections`)
      names.add(name)
      current = { name, line, values: new Map() }
      sections.push(current)
      continue
    }
    if (OTHER_HEADER.test(entry) && !/^\[submodule/i.test(entry)) {
      current = undefined
      continue
    }
    const [, key, inQuotes, plain] = SETTING.exec(entry) ?? []
    const value = inQuotes ?? plain?.trim()
    if (key === undefined || value === undefined) refuse(line, UNREADABLE)
    else if (current?.values.has(key.toLowerCase())) refuse(line, `${key} stands twice in one section. Remove one`)
    else current?.values.set(key.toLowerCase(), value)
  }
  return sections
}

const UNREADABLE =
  'This line is not read. Write sections as [submodule "name"] and settings as key = value, without backslashes'

function faultOf({ name, values }: Section): string | undefined {
  const [path, url, update] = [values.get('path'), values.get('url'), values.get('update') ?? 'checkout']
  if (!isPlace(name)) return 'its name would lead out of the repository. Give it the name of its folder'
  if (path === undefined || url === undefined) return 'it has no path or no url. Add both, or remove the section'
  if (!isPlace(path)) return `its path ${quoted(path)} is not a folder inside the repository. Give such a folder`
  if (update.startsWith('!')) return 'update would run a command, which is not done. Remove the line'
  if (!UPDATES.has(update)) return `update is ${quoted(update)}. Remove the line, or use none to leave the folder empty`
  if (isRelative(url) ? isRelativePath(url) : parseRepositoryAddress(url.replace(/\/$/, '')) !== undefined)
    return undefined
  return `${quoted(url)} is not used as an address. Give https://host/path, ssh://git@host/path, git@host:path or ../path`
}

const UPDATES: ReadonlySet<string> = new Set(['checkout', 'merge', 'rebase', 'none'])

/** A folder inside the repository, in characters that need no quotes in git's lists. */
function isPlace(path: string): boolean {
  if (path.length > 1000 || path !== path.trim() || path.startsWith('-') || /[\p{Cc}"\\]/u.test(path)) return false
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !/^\.git[\s.]*$/i.test(part))
}

export const isRelative = (url: string): boolean => url.startsWith('./') || url.startsWith('../')

/** Parent folders first, then names. */
function isRelativePath(url: string): boolean {
  const names = url
    .replace(/^(?:\.\.?\/)+/, '')
    .replace(/\/$/, '')
    .split('/')
  return url.length <= 1000 && names.every((name) => /^(?!-)(?!\.\.?$)[A-Za-z0-9._~+@-]+$/.test(name))
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 200))
