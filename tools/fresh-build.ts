// Builds a folder if it is missing or older than its sources.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { holdingLock } from '../scripts/holding-lock.mjs'

type FreshBuild = {
  readonly root: string
  /** Whatever the built files depend on, as patterns below the root; tests are left out. */
  readonly sources: readonly string[]
  /** What else the built files contain, such as the id of the build: another value means another build. */
  readonly contained?: string | undefined
  /** Fills an empty folder. */
  readonly make: (folder: string) => Promise<void>
  readonly onBegin?: () => void
}

/** If several processes find it missing, the first builds it and the others wait. */
export async function freshBuild(build: FreshBuild): Promise<void> {
  if (isFresh(build)) return
  await holdingLock(`build ${build.root}`, async () => {
    if (!isFresh(build)) await buildAnew(build)
  })
}

const isFresh = (build: FreshBuild): boolean => digestOf(build) === builtFrom(join(build.root, 'dist'))

async function buildAnew(build: FreshBuild): Promise<void> {
  const { root, make, onBegin = () => undefined } = build
  onBegin()
  const folder = join(root, 'dist')
  // Taken before the build: a source that changes meanwhile causes another build.
  const digest = digestOf(build)
  // In a folder beside it, so that a platform that starts meanwhile finds the old build complete.
  const fresh = join(root, 'dist-next')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh)
  await make(fresh)
  writeFileSync(join(fresh, STAMP), digest)
  const old = join(root, 'dist-old')
  rmSync(old, { recursive: true, force: true })
  // Two renames in a row: a process that starts meanwhile finds the old or the new build.
  if (existsSync(folder)) renameSync(folder, old)
  renameSync(fresh, folder)
  rmSync(old, { recursive: true, force: true })
}

const STAMP = 'sources.txt'

function digestOf({ root, sources, contained = '' }: FreshBuild): string {
  const hash = createHash('sha256').update(`${contained}\0`)
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
