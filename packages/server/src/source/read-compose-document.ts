// Reads a compose file as YAML, only so far that it can be checked before Compose itself reads it.
import { parseDocument } from 'yaml'
import { CheckFailed } from '../domain/step-fault.ts'

/** As many as large files need, and too few for one that grows without end. */
const MOST_ALIASES = 500

/** A file of several documents is refused: Compose would merge what was never checked. */
export function readComposeDocument(content: Buffer, file: string): unknown {
  const document = parseDocument(content.toString(), { merge: true, logLevel: 'error', uniqueKeys: false })
  const [fault] = document.errors
  if (fault) {
    const { line = 1, col = 1 } = fault.linePos?.[0] ?? {}
    throw CheckFailed(
      `${file}:${line}:${col}: this is not valid YAML (${fault.code.toLowerCase().replaceAll('_', ' ')})`,
    )
  }
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (cause) {
    throw CheckFailed(`${file} repeats its parts too often`, cause)
  }
}
