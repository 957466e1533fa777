// Reads a compose file as YAML, only so far that it can be checked before Compose itself reads it.
//
// Compose reads YAML by older rules, and takes keys away before it merges. Whatever the two would read in different ways is
// refused: a key could hide from the check there.
import { isUtf8 } from 'node:buffer'
import { type Document, isAlias, type Node, parseDocument, Scalar, visit } from 'yaml'
import { CheckFailed } from '../domain/step-fault.ts'

/** As many as large files need, and too few for one that grows without end. */
const MOST_ALIASES = 500

/** A file of several documents is refused: Compose would merge what was never checked. */
export function readComposeDocument(content: Buffer, file: string): unknown {
  const text = new TextDecoder().decode(content)
  if (!isUtf8(content) || INVISIBLE.test(text)) {
    throw CheckFailed(
      `${file} holds invisible characters or is not UTF-8. Save it as plain UTF-8 with the usual line ends`,
    )
  }
  const document = parseDocument(text, { merge: true, logLevel: 'error', uniqueKeys: true })
  const [fault] = document.errors
  if (fault) {
    const { line = 1, col = 1 } = fault.linePos?.[0] ?? {}
    throw CheckFailed(
      `${file}:${line}:${col}: this is not valid YAML (${fault.code.toLowerCase().replaceAll('_', ' ')})`,
    )
  }
  const [ambiguity] = ambiguitiesOf(document)
  if (ambiguity) throw CheckFailed(`${file} holds ${ambiguity}`)
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (cause) {
    throw CheckFailed(`${file} repeats its parts too often`, cause)
  }
}

/** Control characters, and those that end a line by the older rules: so does a carriage return alone. */
const INVISIBLE = /\r(?!\n)|[^\t\n\r\P{Cc}]|[\u2028\u2029\uFEFF]/u

function ambiguitiesOf(document: Document): string[] {
  const found: string[] = []
  visit(document, {
    Node(place, node) {
      const ambiguity = ambiguityOf(node, place)
      if (ambiguity) found.push(ambiguity)
    },
  })
  return found
}

/**
 * By the older rules `{ ?name: value }` holds `name`, `!!set { name }` is a mapping, and `*name:value` is the alias `name` with a
 * value. A key with `!reset` is gone before merges are looked at, so what it seems to override counts. Which of two keys counts, and
 * whether `<<` merges, they see differently where a key is an alias or has a tag.
 */
function ambiguityOf(node: Node, place: number | 'key' | 'value' | null): string | undefined {
  const anchor = isAlias(node) ? node.source : node.anchor
  if (anchor !== undefined && !/^[A-Za-z0-9_-]+$/.test(anchor)) {
    return 'an anchor with other characters than letters, digits, _ and -. Give it a plain name'
  }
  const tag = 'tag' in node ? node.tag : undefined
  if (place === 'key' && (isAlias(node) || tag !== undefined)) {
    return 'an alias or a tag in place of a key. Write the key itself'
  }
  if (tag === '!reset') return 'the tag !reset. Leave the key out, or give it an empty value with !override'
  if (tag !== undefined && tag !== '!override') return 'a tag other than !override. Remove the tag'
  const isPlain = node instanceof Scalar && node.type === Scalar.PLAIN
  return isPlain && /^\?./.test(String(node.value))
    ? 'a name that begins with a question mark. Put it in quotes'
    : undefined
}
