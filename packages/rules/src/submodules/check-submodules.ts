// What a check can say about submodules without their repositories: whether `.gitmodules` is accepted, and what a deployment decides.
import type { Fault, Remark } from '../fault.ts'
import { isRelative, readSubmodules, SUBMODULES_FILE } from './read-submodules.ts'

type Tree<Kind> = {
  /** A sentence for a file that exists and cannot be read. */
  read(path: string): Promise<Uint8Array | string | undefined>
  kindOf(path: string): Promise<Kind>
  readonly links: ReadonlySet<string>
}

type CheckedSubmodules = {
  readonly faults: readonly Fault[]
  readonly later: readonly Remark[]
  /** Folders that a deployment fills. */
  readonly paths: readonly string[]
}

export async function checkSubmodules({ read, links }: Tree<unknown>): Promise<CheckedSubmodules> {
  const start = { file: SUBMODULES_FILE, line: 1, column: 1 }
  if (links.has(SUBMODULES_FILE)) return { faults: [{ ...start, sentence: A_LINK }], later: [], paths: [] }
  const content = await read(SUBMODULES_FILE)
  if (content === undefined) return { faults: [], later: [], paths: [] }
  if (typeof content === 'string') return { faults: [{ ...start, sentence: content }], later: [], paths: [] }
  const { submodules, faults } = readSubmodules(content)
  const fetched = submodules.filter(({ isLeftOut }) => !isLeftOut)
  const later = fetched
    .filter(({ url }) => !isRelative(url))
    .map(({ path, url, line }) => ({
      ...start,
      line,
      sentence: `Submodule ${path}: whether ${url} is at the git host of the project. Others are not fetched`,
    }))
  return { faults, later, paths: fetched.map(({ path }) => path) }
}

const A_LINK = '.gitmodules is a symbolic link, not a file. Put the file itself into the repository root'

/** The files of a submodule are not known here, so they count as present. */
export const withSubmodules =
  <Kind extends string>({ kindOf }: Tree<Kind>, paths: readonly string[]) =>
  async (path: string): Promise<Kind | 'file' | 'folder'> => {
    if (paths.includes(path)) return 'folder'
    return paths.some((above) => path.startsWith(`${above}/`)) ? 'file' : kindOf(path)
  }
