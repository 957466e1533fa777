// Parses a compose file as YAML, so that it can be checked before Compose reads it.
//
// Compose reads YAML by older rules, and removes keys before it merges. Whatever the two would read differently is refused: a key could
// hide from the check there.
import { isUtf8 } from 'node:buffer'
import { type Document, isAlias, isScalar, LineCounter, type Node, parseDocument, Scalar, visit } from 'yaml'
import { type Fault, faultLine } from '../fault.ts'
import { hasMoreLexemes } from '../service-file/limited-tokens.ts'
import { UnreadableCompose } from './read-compose-model.ts'
import { firstRepeatedTooOften } from './repeated-parts.ts'
import { MOST_VALUES } from './source/count-values.ts'
import { type KeyPositions, keyPositions } from './source/key-positions.ts'

/** With each alias written out. Merged maps count twice where keys are replaced, hence more than `MOST_VALUES`. */
const MOST_EXPANDED = 2 * MOST_VALUES

/** About twenty thousand keys. Each takes about a kilobyte while parsing. */
const MOST_LEXEMES = 120_000

/** Not a compose file, or one that the platform and Compose would read differently. */
export class UnreadableFile extends UnreadableCompose {
  readonly fault: Fault

  constructor(fault: Fault, options: ErrorOptions = {}) {
    super(faultLine(fault), options)
    this.fault = fault
  }
}

export function readComposeDocument(content: Uint8Array, file: string): unknown {
  return readComposeFile(content, file).document
}

/** A file of several documents is refused: Compose would merge what was never checked. Throws an UnreadableFile. */
export function readComposeFile(
  content: Uint8Array,
  file: string,
): { readonly document: unknown; readonly positions: KeyPositions } {
  const refuse = (
    sentence: string,
    { line = 1, column = 1, cause }: { line?: number; column?: number; cause?: unknown } = {},
  ) => new UnreadableFile({ file, line, column, sentence }, { cause })
  const text = new TextDecoder().decode(content)
  if (!isUtf8(content) || INVISIBLE.test(text)) {
    throw refuse('The file holds invisible characters or is not UTF-8. Save it as plain UTF-8 with the usual line ends')
  }
  if (hasMoreLexemes(text, MOST_LEXEMES)) {
    throw refuse('The file has more entries than the platform reads. Take out what is not needed, or split it')
  }
  const lineCounter = new LineCounter()
  // We compare keys ourselves: the library needs quadratic time.
  const document = parseDocument(text, { ...OPTIONS, lineCounter })
  const [fault = repeatedKeyOf(document)] = document.errors
  if (fault) {
    const { line, col } = lineCounter.linePos(fault.pos[0])
    const what = fault.code === 'MISSING_CHAR' ? UNCLOSED : fault.code.toLowerCase().replaceAll('_', ' ')
    throw refuse(`this is not valid YAML (${what})`, { line, column: col })
  }
  const ambiguity = firstAmbiguityOf(document)
  if (ambiguity) {
    const { line, col } = lineCounter.linePos(ambiguity.offset)
    throw refuse(`The file holds ${ambiguity.what}`, { line, column: col })
  }
  const repeated = firstRepeatedTooOften(document, MOST_EXPANDED)
  if (repeated !== undefined) {
    const { line, col } = lineCounter.linePos(repeated)
    throw refuse('The file repeats its parts too often', { line, column: col })
  }
  try {
    // The library limits the number of aliases, and files of many services have many. Their sum was checked.
    return { document: document.toJS({ maxAliasCount: -1 }), positions: keyPositions(document, lineCounter) }
  } catch (cause) {
    throw refuse('The file names an anchor that it does not have, or merges with << what is no mapping', { cause })
  }
}

/** Compose itself accepts the latter; the rules of YAML do not. */
const UNCLOSED =
  'missing char: a quote or bracket is not closed, or a line inside of quotes is indented no further than its key. Indent it'

const OPTIONS = { merge: true, logLevel: 'error', uniqueKeys: false, prettyErrors: false } as const

type YamlFault = Pick<Document['errors'][number], 'code' | 'pos'>

/** As the library does it: two keys are the same if both are scalars and equal. */
function repeatedKeyOf(document: Document): YamlFault | undefined {
  let fault: YamlFault | undefined
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          fault = { code: 'DUPLICATE_KEY', pos: [key.range?.[0] ?? 0, key.range?.[1] ?? 0] }
          return visit.BREAK
        }
        seen.add(key.value)
      }
      return undefined
    },
  })
  return fault
}

/** Control characters, and characters that end a line by the older rules, such as a lone carriage return. */
const INVISIBLE = /\r(?!\n)|[^\t\n\r\P{Cc}]|[\u2028\u2029\uFEFF]/u

function firstAmbiguityOf(document: Document): { readonly what: string; readonly offset: number } | undefined {
  let found: { readonly what: string; readonly offset: number } | undefined
  visit(document, {
    Node(position, node) {
      const what = ambiguityOf(node, position)
      if (what !== undefined) found = { what, offset: node.range?.[0] ?? 0 }
      return what === undefined ? undefined : visit.BREAK
    },
  })
  return found
}

/**
 * By the older rules `{ ?name: value }` contains `name`, `!!set { name }` is a mapping, and `*name:value` is the alias `name` with a
 * value. A key with `!reset` is removed before merging, so what it seems to override counts. If a key is an alias or has a tag, the two
 * disagree on which of two keys counts and whether `<<` merges.
 */
function ambiguityOf(node: Node, position: number | 'key' | 'value' | null): string | undefined {
  const anchor = isAlias(node) ? node.source : node.anchor
  if (anchor !== undefined && !/^[A-Za-z0-9_-]+$/.test(anchor)) {
    return 'an anchor with other characters than letters, digits, _ and -. Give it a plain name'
  }
  const tag = 'tag' in node ? node.tag : undefined
  if (position === 'key' && (isAlias(node) || tag !== undefined)) {
    return 'an alias or a tag in place of a key. Write the key itself'
  }
  if (tag === '!reset') return 'the tag !reset. Leave the key out, or give it an empty value with !override'
  if (tag !== undefined && tag !== '!override') return 'a tag other than !override. Remove the tag'
  const isPlain = node instanceof Scalar && node.type === Scalar.PLAIN
  return isPlain && /^\?./.test(String(node.value))
    ? 'a name that begins with a question mark. Put it in quotes'
    : undefined
}
