// Finds the imports of a file: what is imported, under which names, and which file of the project that is.
import { posix } from 'node:path'

/** `target` is the project's file that is meant, or undefined for a package or a built-in module. */
export type Import = Readonly<{
  specifier: string
  target: string | undefined
  names: readonly string[]
  isTypeOnly: boolean
  offset: number
}>

const statement = /\b(?:import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?([\w$\s{},*]*?)\bfrom\s*(['"])/g
const bareOrDynamic = /\bimport\s*\(?\s*(['"])/g

export function scanImports(path: string, text: string, code: string): Import[] {
  const found: Import[] = []
  for (const match of code.matchAll(statement)) {
    found.push(importAt(path, text, match, { isTypeOnly: match[1] !== undefined, names: namesIn(match[2] ?? '') }))
  }
  for (const match of code.matchAll(bareOrDynamic)) {
    found.push(importAt(path, text, match, { isTypeOnly: false, names: ['*'] }))
  }
  return found.sort((left, right) => left.offset - right.offset)
}

function importAt(
  path: string,
  text: string,
  match: RegExpMatchArray,
  what: Pick<Import, 'isTypeOnly' | 'names'>,
): Import {
  const offset = match.index ?? 0
  const start = offset + match[0].length
  const specifier = text.slice(start, text.indexOf(text.charAt(start - 1), start))
  return { specifier, target: targetOf(path, specifier), offset, ...what }
}

/** The names as the other file exports them; `*` stands for all of it, `default` for a default export. */
function namesIn(clause: string): string[] {
  const braces = clause.match(/\{([^}]*)\}/)
  const listed = (braces?.[1] ?? '').split(',').map((item) =>
    item
      .trim()
      .replace(/^type\s+/, '')
      .replace(/\s+as\s.*$/, ''),
  )
  const outside = clause
    .replace(/\{[^}]*\}/, '')
    .replace(/,/g, ' ')
    .trim()
  const whole = outside.startsWith('*') ? ['*'] : outside === '' ? [] : ['default']
  return [...whole, ...listed.filter((name) => name !== '')]
}

function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(path), specifier))
  const ours = specifier.match(/^@shipway\/([^/]+)(?:\/(.+))?$/)
  if (!ours) return undefined
  return `packages/${ours[1]}/src/${ours[2] ?? 'index'}.ts`
}
