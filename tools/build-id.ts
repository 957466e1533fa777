// Says which sources a build is made from. Builds between two releases have the same version number and are told apart by it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The commit of the checkout; without git, as in an image, a digest of the contract. Empty for a tagged release. */
export function buildId(folder = root): string {
  const [commit, tags] = [git(folder, 'rev-parse', '--short=9', 'HEAD'), git(folder, 'tag', '--points-at', 'HEAD')]
  if (commit === undefined) return contractDigest(folder)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return tags?.split('\n').includes(`v${version}`) ? '' : commit
}

function git(folder: string, ...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', folder, ...words], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function contractDigest(folder: string): string {
  const hash = createHash('sha256')
  const files = globSync('packages/api/src/**/*.ts', { cwd: folder }).filter((file) => !file.includes('.test.'))
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 9)
}
