// Collects the compose files of a commit, and those that they include or extend, before Compose reads them unchecked.
import { posix } from 'node:path'
import type { Fault } from '../../fault.ts'
import type { ComposeSource } from '../policy/check-compose-source.ts'
import { countValues, MOST_VALUES, TOO_MANY_VALUES } from './count-values.ts'
import { positionIn } from './key-positions.ts'
import type { ReadSource, SourceToRead } from './read-source.ts'

export type Sources = {
  /** The named ones first, in their order. */
  readonly sources: readonly ReadSource[]
  /** Whether all of them could be read. */
  readonly isWhole: boolean
  readonly faults: readonly Fault[]
}

export type SourceFiles = {
  /** Relative to the root, in the order in which Compose merges them. */
  readonly files: readonly string[]
  readonly links: ReadonlySet<string>
  /** Undefined if the file does not exist; a sentence if it cannot be read. */
  readonly read: (path: string) => Promise<Uint8Array | string | undefined>
  readonly readSource: (source: SourceToRead) => Promise<ReadSource | { readonly fault: Fault }>
}

export async function collectSources({ files, links, read, readSource }: SourceFiles): Promise<Sources> {
  const sources: ReadSource[] = []
  const faults: Fault[] = []
  let values = 0
  // Paths in all named files are relative to the folder of the first, the project directory.
  const folder = posix.dirname(files[0] ?? '.')
  const waiting: ComposeSource[] = files.map((file) => ({ file, folder }))
  const seen = new Set(waiting.map(keyOf))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const content = await read(next.file)
    if (content === undefined || typeof content === 'string') {
      faults.push(faultIn(next.file, content ?? `${next.file} is not in the repository. Add it, or name another one`))
      continue
    }
    const source = await readSource({ ...next, content, links: [...links] })
    if ('fault' in source) {
      faults.push(source.fault)
      continue
    }
    sources.push(source)
    values += countValues(source.document, MOST_VALUES)
    if (values > MOST_VALUES)
      return { sources: [], isWhole: false, faults: [...faults, faultIn(next.file, TOO_MANY_VALUES)] }
    faults.push(...source.refusals.map(({ key, sentence }) => faultAt(source, key, sentence)))
    for (const further of source.files.filter((drawn) => !seen.has(keyOf(drawn)))) {
      seen.add(keyOf(further))
      waiting.push(further)
    }
    if (seen.size > MOST_FILES) {
      return {
        sources,
        isWhole: false,
        faults: [...faults, faultIn(next.file, `The compose file leads to more than ${MOST_FILES} files`)],
      }
    }
  }
  return { sources, isWhole: sources.length === seen.size && sources.every(includesAll), faults }
}

const MOST_FILES = 50

/** Whether nothing that it includes or extends was refused. */
const includesAll = ({ file, refusals }: ReadSource): boolean =>
  refusals.every(({ key }) => key !== file && !/^include\b|\.extends\b/.test(key))

/** The including file determines where relative paths lead. */
const keyOf = ({ file, folder }: ComposeSource): string => `${folder}\n${file}`

const faultIn = (file: string, sentence: string): Fault => ({ file, line: 1, column: 1, sentence })

export function faultAt({ file, positions }: ReadSource, key: string, sentence: string): Fault {
  return { file, ...(positionIn(positions, key) ?? { line: 1, column: 1 }), sentence }
}

/** The position of a key: later files win. Lists of several files are merged, so only the list itself is located. */
export function locate(sources: readonly ReadSource[], key: string): Fault | undefined {
  const [, list = ''] = /^(.*?)\[\d+\]/.exec(key) ?? []
  const isMerged = list !== '' && sources.filter(({ positions }) => positions.has(list)).length > 1
  const wanted = isMerged ? list : key
  const found = sources
    .map((source) => ({ source, position: positionIn(source.positions, wanted) }))
    .filter(({ position }) => position !== undefined)
  // Prefer a file with the exact key: a file that only names the service says nothing about its mounts.
  const exact = found.findLast(({ source }) => source.positions.has(wanted)) ?? found.at(-1)
  return exact?.position && { file: exact.source.file, ...exact.position, sentence: '' }
}
