// Builds a folder where it is missing or older than its sources, so that nobody has to remember to.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

type FreshBuild = {
  readonly root: string
  /** Whatever the built files depend on, as patterns below the root; tests are left out. */
  readonly sources: readonly string[]
  /** Fills an empty folder. */
  readonly make: (folder: string) => Promise<void>
  readonly onBegin?: () => void
}

export async function freshBuild({ root, sources, make, onBegin = () => undefined }: FreshBuild): Promise<void> {
  const folder = join(root, 'dist')
  const digest = digestOf(root, sources)
  if (digest === builtFrom(folder)) return
  onBegin()
  // Beside the place, so that a platform that is started meanwhile finds the old one whole.
  const fresh = join(root, 'dist-next')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh)
  await make(fresh)
  writeFileSync(join(fresh, STAMP), digest)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

const STAMP = 'sources.txt'

function digestOf(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) hash.update(`${relative(root, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function builtFrom(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, STAMP), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
