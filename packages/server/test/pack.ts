// Packs of tests: what a client sends, and what an attacker might.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
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

/** A few kilobytes whose second file copies the first, a file of zeros, until it has this many gibibytes. */
export function deltaBomb(gibibytes: number): Buffer {
  const zeros = Buffer.alloc(16 * 1024 ** 2)
  const id = createHash('sha1').update(`blob ${zeros.length}\0`).update(zeros).digest()
  const copies = gibibytes * 64
  // Copies as much as one instruction can: 16 MiB less a byte, from the start.
  const copy = Buffer.from([0b1111_0000, 0xff, 0xff, 0xff])
  const delta = Buffer.concat([
    sevenBits(zeros.length),
    sevenBits(copies * 0xffffff),
    ...Array.from({ length: copies }, () => copy),
  ])
  const header = Buffer.from('PACK\0\0\0\u0002\0\0\0\u0002', 'latin1')
  const base = [entryHeader(BLOB, zeros.length), deflateSync(zeros)]
  const pack = Buffer.concat([header, ...base, entryHeader(DELTA_OF_ID, delta.length), id, deflateSync(delta)])
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

const BLOB = 3
const DELTA_OF_ID = 7

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function sevenBits(number: number): Buffer {
  const bytes: number[] = []
  for (let rest = number; rest > 0; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push((bytes.pop() ?? 0) & 127)
  return Buffer.from(bytes)
}

/** Its type and the lowest four bits of its size stand in the first byte. */
const entryHeader = (type: number, size: number): Buffer =>
  Buffer.concat([Buffer.of(128 | (type << 4) | (size % 16)), sevenBits(Math.floor(size / 16))])
