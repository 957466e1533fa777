// Reads one compose file of a commit, and checks what Compose would read through it.
import type { Fault } from '../../fault.ts'
import type { JsonObject, Refusal } from '../model.ts'
import { type ExplicitWrite, explicitWrites } from '../mounts/explicit-writes.ts'
import { type ComposeSource, checkComposeSource } from '../policy/check-compose-source.ts'
import { objectOf } from '../policy/policy-rules.ts'
import { readComposeFile, UnreadableFile } from '../read-compose-document.ts'
import { countValues, MOST_VALUES, TOO_MANY_VALUES } from './count-values.ts'
import type { KeyPositions } from './key-positions.ts'

export type SourceToRead = ComposeSource & { readonly content: Uint8Array; readonly links: readonly string[] }

export type ReadSource = ComposeSource & {
  readonly document: JsonObject
  readonly positions: KeyPositions
  readonly refusals: readonly Refusal[]
  /** Files that it includes or extends, each once; `included` are the included ones. */
  readonly files: readonly ComposeSource[]
  readonly included: readonly ComposeSource[]
  /** All files that Compose reads for it, each once; relative to the checkout. */
  readonly reads: readonly string[]
  /** Mounts that it explicitly marks as writable. */
  readonly writes: readonly ExplicitWrite[]
  /** It may use its own folder through `PWD`. */
  readonly asksForFolder: boolean
  /** It replaces values of other files with `!override`, which only Compose resolves. */
  readonly hasOverrides: boolean
}

/** Returns a fault instead of throwing, so that the result can be passed between threads. */
export function readSource({ content, file, folder, links }: SourceToRead): ReadSource | { readonly fault: Fault } {
  try {
    const { document, positions } = readComposeFile(content, file)
    const { refusals, files, included, reads } = checkComposeSource(document, { file, folder }, new Set(links))
    const drawn = [...new Map(files.map((one) => [`${one.folder}\n${one.file}`, one])).values()]
    const writes = explicitWrites(document, { file, folder })
    for (const [what, count] of Object.entries({ 'other files': drawn.length, 'mounts to write to': writes.length }))
      if (count > MOST_NAMED) return tooMany(file, what)
    if (countValues(document, MOST_VALUES) > MOST_VALUES)
      return { fault: { file, line: 1, column: 1, sentence: TOO_MANY_VALUES } }
    const asksForFolder = Buffer.from(content).includes('PWD')
    return {
      asksForFolder,
      hasOverrides: Buffer.from(content).includes('!override'),
      file,
      folder,
      document: objectOf(document),
      positions,
      refusals,
      files: drawn,
      included,
      reads: [...new Set(reads)],
      writes,
    }
  } catch (error) {
    if (error instanceof UnreadableFile) return { fault: error.fault }
    throw error
  }
}

/** Far more than any real project has. */
const MOST_NAMED = 1000

const tooMany = (file: string, what: string) => ({
  fault: { file, line: 1, column: 1, sentence: `The file names more than ${MOST_NAMED} ${what}. Take some out` },
})
