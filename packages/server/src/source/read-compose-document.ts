// Reads a compose file as YAML, only so far that it can be checked before Compose itself reads it.
//
// Compose reads YAML by older rules. Whatever the two would read in different ways is refused: a key could hide from the check there.
import { isUtf8 } from 'node:buffer'
import { type Document, parseDocument, Scalar, visit } from 'yaml'
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
  const document = parseDocument(text, { merge: true, logLevel: 'error', uniqueKeys: false })
  const [fault] = document.errors
  if (fault) {
    const { line = 1, col = 1 } = fault.linePos?.[0] ?? {}
    throw CheckFailed(
      `${file}:${line}:${col}: this is not valid YAML (${fault.code.toLowerCase().replaceAll('_', ' ')})`,
    )
  }
  if (isAmbiguous(document)) {
    throw CheckFailed(`${file} holds a name that begins with a question mark, or a tag other than !reset and !override`)
  }
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (cause) {
    throw CheckFailed(`${file} repeats its parts too often`, cause)
  }
}

/** Control characters, and those that end a line by the older rules: so does a carriage return alone. */
const INVISIBLE = /\r(?!\n)|[^\t\n\r\P{Cc}]|[\u2028\u2029\uFEFF]/u

/** By the older rules `{ ?name: value }` holds `name`, and `!!set { name }` is a mapping. */
function isAmbiguous(document: Document): boolean {
  let isFound = false
  visit(document, {
    Node(_, node) {
      const isTagged = 'tag' in node && node.tag !== undefined && !TAGS.includes(node.tag)
      const isPlain = node instanceof Scalar && node.type === Scalar.PLAIN
      isFound ||= isTagged || (isPlain && /^\?./.test(String(node.value)))
    },
  })
  return isFound
}

const TAGS = ['!reset', '!override']
