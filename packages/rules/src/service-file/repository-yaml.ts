/**
 * Turns the bytes of `.service.yml` into a tree of nodes with positions, within limits that hold for any file at all.
 * Aliases are refused before anything is composed, so no file becomes larger than it is.
 */
import { isUtf8 } from 'node:buffer'
import { Composer, type Document, isMap, isNode, isScalar, LineCounter, type Range, visit, type YAMLMap } from 'yaml'
import { type Finding, limitedTokens } from './limited-tokens.ts'
import { type FilePosition, RepositoryConfigFault } from './repository-config.ts'

export type RepositoryYaml = { readonly root: YAMLMap; readonly positionAt: (offset: number) => FilePosition }

/** Throws a RepositoryConfigFault for whatever is no YAML within the limits. */
export function parseRepositoryYaml(content: string | Uint8Array): RepositoryYaml {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (bytes.length > MAX_BYTES) throw faultOf([TOO_LARGE], () => ({ line: 1, column: 1 }))
  const text = new TextDecoder().decode(bytes)
  const positionAt = positions(text)
  const refuse = (findings: readonly Finding[]) => {
    if (findings.length > 0) throw faultOf(findings, positionAt)
  }

  refuse(unreadableIn(text, bytes))
  const { tokens, findings } = limitedTokens(text)
  refuse(findings)
  const [document] = new Composer(COMPOSE).compose(tokens, true, text.length)
  refuse(syntaxErrorsIn(document, text))
  refuse(badKeysIn(document))
  const root = document?.contents
  if (!isMap(root)) throw faultOf([noMap(root?.range)], positionAt)
  return { root, positionAt }
}

/** The position of a key in a section of the file; undefined if the file cannot be read or does not contain it. */
export function keyPosition(content: Uint8Array, section: string, name: string): FilePosition | undefined {
  try {
    const { root, positionAt } = parseRepositoryYaml(content)
    const entries = root.items.find(({ key }) => keyText(key) === section)?.value
    const found = isMap(entries) ? entries.items.find(({ key }) => keyText(key) === name) : undefined
    const offset = offsetOf(found?.key)
    return offset === undefined ? undefined : positionAt(offset)
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return undefined
    throw error
  }
}

const MAX_BYTES = 256 * 1024
const TOO_LARGE = { offset: 0, sentence: 'The file is larger than 256 KiB; move long scripts into files of their own' }

/** One mistake can cause as many errors as the file has characters. */
const MAX_ERRORS = 20

/** We compare keys ourselves: the library needs quadratic time. */
const COMPOSE = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const

function noMap(range: Range | null | undefined): Finding {
  const [start, end] = range ?? [0, 0]
  if (start === end) return { offset: 0, sentence: 'The file is empty; begin with a section such as services:' }
  return { offset: start, sentence: 'The file must be a map of sections, such as services: and docker:' }
}

function faultOf(findings: readonly Finding[], positionAt: RepositoryYaml['positionAt']): RepositoryConfigFault {
  return new RepositoryConfigFault(
    findings.map(({ offset, sentence }) => ({ ...positionAt(offset), path: '', sentence })),
  )
}

function positions(text: string): RepositoryYaml['positionAt'] {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
  return (offset) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

function unreadableIn(text: string, bytes: Uint8Array): Finding[] {
  if (!isUtf8(bytes)) {
    return [{ offset: text.indexOf('\uFFFD'), sentence: 'The file is not UTF-8; save it in that encoding' }]
  }
  const offset = text.search(/[^\t\n\r\P{Cc}]|[\uFEFF\uFFFE\uFFFF]/u)
  if (offset < 0) return []
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')
  return [{ offset, sentence: `The invisible character U+${code} cannot stand in this file; take it out` }]
}

/** The library's messages, except for common mistakes. */
function syntaxErrorsIn(document: Document | undefined, text: string): Finding[] {
  return (document?.errors ?? []).slice(0, MAX_ERRORS).map(({ code, message, pos: [offset] }) => {
    if (code === 'TAB_AS_INDENT') return { offset, sentence: 'Indent with spaces; YAML allows no tabs there' }
    if (COLON_CODES.has(code) && /:\s/.test(lineFrom(offset, text))) return { offset, sentence: COLON_IN_TEXT }
    const line = lineFrom(text.lastIndexOf('\n', offset - 1) + 1, text)
    const hint = /:\s*\{env\}/.test(line) ? '; put a value that begins with {env} in quotes' : ''
    // Some messages quote the file, and a line may be as long as the file.
    const words = message.replace(/\s+/g, ' ').slice(0, 200)
    return { offset, sentence: `This is not valid YAML: ${words}${hint}` }
  })
}

/** A map where a single value should be: most often a text with a colon in it. */
const COLON_CODES: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'BLOCK_IN_FLOW'])
const COLON_IN_TEXT = 'A text with a colon and a space in it must stand in quotes, such as run: "echo a: b"'

const lineFrom = (offset: number, text: string): string => text.slice(offset).split('\n', 1)[0] ?? ''

function badKeysIn(document: Document | undefined): Finding[] {
  const findings: Finding[] = []
  if (!document) return findings
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        const name = keyText(key)
        const offset = offsetOf(key) ?? map.range?.[0] ?? 0
        if (name === undefined) findings.push({ offset, sentence: 'A key must be plain text on one line' })
        else if (seen.has(name))
          findings.push({ offset, sentence: `${quoteKey(name)} stands here twice; keep one of them` })
        else seen.add(name)
      }
    },
  })
  return findings
}

/** The key as it is written, so that a service may be called 1; undefined for lists and maps. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined
  return typeof key.value === 'string' ? key.value : (key.source ?? '')
}

export function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

/** Plain keys as they are; others quoted, cut and escaped, so that no file can forge lines of a message. */
export function quoteKey(key: string): string {
  if (/^[\w-]{1,63}$/.test(key)) return key
  const quoted = JSON.stringify(key.length > 63 ? `${key.slice(0, 60)}…` : key)
  return quoted.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
