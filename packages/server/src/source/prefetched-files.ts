/**
 * Caches the files that a deployment reads first. They come with the fetch of their commit, because starting git for each took longer than
 * the fetch. Other files are read from the mirror.
 */
import { USUAL_NAMES } from '@shipway/rules/service-file/find-compose-source'
import { SUBMODULES_FILE } from '@shipway/rules/submodules/read-submodules'
import type { FilesToPrint } from '../commands/mirror.ts'

/** Undefined: the commit has no such file. A missing key means unknown. */
export type PrefetchedFiles = ReadonlyMap<string, Buffer | undefined>

export const PREFETCHED_FILES: FilesToPrint = {
  names: ['.service.yml', ...USUAL_NAMES, 'Dockerfile', '.env', SUBMODULES_FILE],
  mostBytes: 64 * 1024,
}

/** Parses what `fetchAndKeep` prints after the commit. */
export function readPrefetchedFiles(
  printed: Buffer,
  { names, mostBytes }: FilesToPrint = PREFETCHED_FILES,
): PrefetchedFiles {
  const listEnd = printed.indexOf('\n\n')
  if (listEnd < 0) throw new Error('git has printed no list of files')
  const listed = printed.subarray(0, listEnd).toString().split('\n').flatMap(entryIn)
  const found = new Set(listed.map(({ name }) => name))
  const files = new Map<string, Buffer | undefined>(
    names.flatMap((name) => (found.has(name) ? [] : [[name, undefined] as const])),
  )
  let rest = printed.subarray(listEnd + 2)
  let room = mostBytes
  for (const { mode, size, name } of listed) {
    if (!mode.startsWith('100') || size > room) continue
    room -= size
    const start = rest.indexOf(END_OF_LINE) + 1
    const end = start + size
    if (rest.subarray(0, start).toString() !== `${size}\n` || rest[end] !== END_OF_LINE)
      throw new Error(`git has printed another file than ${name}`)
    // A copy, so that the cache does not keep the whole output in memory.
    files.set(name, Buffer.from(rest.subarray(start, end)))
    rest = rest.subarray(end + 1)
  }
  return files
}

const END_OF_LINE = 10

function entryIn(line: string) {
  const [, mode = '', size = '', name = ''] = /^(\d+) \w+ [0-9a-f]+ +(\d+|-)\t(.+)$/.exec(line) ?? []
  return mode === '' ? [] : [{ mode, size: Number(size), name }]
}

/** Number of cached commits, one per project: the most recently fetched ones. */
const MOST_COMMITS = 50

export function createPrefetchedFiles() {
  const known = new Map<number, { readonly sha: string; readonly files: PrefetchedFiles }>()
  return {
    keep: (projectId: number, sha: string, files: PrefetchedFiles): void => {
      known.delete(projectId)
      known.set(projectId, { sha, files })
      const [oldest] = known.keys()
      if (known.size > MOST_COMMITS && oldest !== undefined) known.delete(oldest)
    },

    /** Undefined if it is not cached. For a file that is too large, the reader of the mirror reports the error. */
    find: (
      projectId: number,
      sha: string,
      { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
    ) => {
      const own = known.get(projectId)
      if (own?.sha !== sha || !own.files.has(path)) return undefined
      const content = own.files.get(path)
      return content && content.length > maxBytes ? undefined : { content }
    },

    forget: (projectId: number): void => void known.delete(projectId),
  }
}
