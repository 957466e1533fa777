/**
 * The files that a deployment reads first, as they came with their commit: to start git for each of them took longer than to fetch them.
 * What is not known here is read from the mirror.
 */
import { USUAL_NAMES } from '@shipway/rules/service-file/find-compose-source'
import type { FilesToPrint } from '../commands/mirror.ts'

/** Undefined: the commit has no such file. A name that is missing tells nothing. */
export type UsualFiles = ReadonlyMap<string, Buffer | undefined>

export const USUAL_FILES: FilesToPrint = {
  names: ['.service.yml', ...USUAL_NAMES, 'Dockerfile', '.env'],
  mostBytes: 64 * 1024,
}

/** Reads what `fetchAndKeep` prints behind the commit. */
export function readUsualFiles(printed: Buffer, { names, mostBytes }: FilesToPrint = USUAL_FILES): UsualFiles {
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
    // A copy of its own: what is kept holds no more memory than it needs.
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

/** Of so many projects the files of one commit each: of those that fetched last. */
const MOST_COMMITS = 50

export function createUsualFiles() {
  const known = new Map<number, { readonly sha: string; readonly files: UsualFiles }>()
  return {
    keep: (projectId: number, sha: string, files: UsualFiles): void => {
      known.delete(projectId)
      known.set(projectId, { sha, files })
      const [oldest] = known.keys()
      if (known.size > MOST_COMMITS && oldest !== undefined) known.delete(oldest)
    },

    /** Undefined where it is not known. A file that is larger than it may be is left to whoever says so. */
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
