// Packs of tests: what a client sends, and what an attacker might.
import { execFileSync } from 'node:child_process'
import type { Origin } from './origin.ts'

/** A commit without parents from the tree of another, as `shipway up` makes it. */
export function commitAlone(origin: Origin, sha: string, lines: readonly string[] = []): string {
  const tree = origin.git(['rev-parse', `${sha}^{tree}`])
  const who = 'Ada <ada@example.com> 1750000000 +0000'
  const text = [`tree ${tree}`, ...lines, `author ${who}`, `committer ${who}`, '', 'Working tree\n'].join('\n')
  return origin.git(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], text)
}

/** The objects of a commit's tree that a base lacks, and the commit. */
export function objectsOf(origin: Origin, sha: string, base?: string): string[] {
  const list = (commit: string): string[] => [
    origin.git(['rev-parse', `${commit}^{tree}`]),
    ...origin
      .git(['ls-tree', '-r', '-t', '--full-tree', commit])
      .split('\n')
      .filter((line) => line !== '' && !line.includes(' commit '))
      .map((line) => line.split(/[ \t]/)[2] ?? ''),
  ]
  const known = new Set(base === undefined ? [] : list(base))
  return [sha, ...new Set(list(sha).filter((id) => !known.has(id)))]
}

export const packOf = (origin: Origin, objects: readonly string[]): Buffer =>
  execFileSync('git', [`--git-dir=${origin.path}`, 'pack-objects', '--stdout', '-q'], {
    input: `${objects.join('\n')}\n`,
    maxBuffer: 2 ** 30,
  })

export async function* piecesOf(pack: Uint8Array, pieceBytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < pack.length; from += pieceBytes) yield pack.subarray(from, from + pieceBytes)
}
