// Packs a folder into a .tar.gz whose bytes depend on nothing but the files: names are sorted, owners and times are fixed.
import { globSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

type Archive = {
  readonly folder: string
  /** The one folder that the archive has. */
  readonly name: string
  /** Seconds since 1970, for every entry. */
  readonly time: number
}

export function packFolder({ folder, name, time }: Archive): Buffer {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted(byBytes)
  const blocks = files.flatMap((file) => entryOf(file, `${name}${file.slice(folder.length)}`, time))
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 5 })
}

/** As every locale sorts them. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const BLOCK = 512

function entryOf(file: string, path: string, time: number): Buffer[] {
  const stats = lstatSync(file)
  if (!stats.isFile()) throw new Error(`${file} is no file: a release has files alone`)
  const bytes = readFileSync(file)
  const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755
  const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)
  return [headerOf({ path, mode, size: bytes.length, time }), bytes, padding]
}

/** A header of the format ustar. */
function headerOf(entry: { path: string; mode: number; size: number; time: number }): Buffer {
  const header = Buffer.alloc(BLOCK)
  const [prefix, name] = splitPath(entry.path)
  header.write(name, 0)
  header.write(octal(entry.mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(entry.size, 11), 124)
  header.write(octal(entry.time, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write('root', 265)
  header.write('root', 297)
  header.write(prefix, 345)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** Names of more than 100 bytes are cut at a slash. */
function splitPath(path: string): readonly [string, string] {
  if (Buffer.byteLength(path) <= 100) return ['', path]
  for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1)) {
    const [prefix, name] = [path.slice(0, cut), path.slice(cut + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return [prefix, name]
  }
  throw new Error(`${path} is too long for an archive`)
}
