/** Reads and writes backup files: compressed lines. A file gets its name when it is complete and synced, and only its owner can read it. */
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { CannotStart } from '../domain/cannot-start.ts'
import { BackupRefused } from './backup-lines.ts'

/** Returns the size of the file. */
export async function writeBackupFile(file: string, lines: AsyncIterable<string>): Promise<number> {
  const path = resolve(file)
  // Before minutes of work.
  if (existsSync(path)) throw nameTaken(path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.partial`
  try {
    // `flush` syncs the file to the disk before it is closed.
    await pipeline(lines, createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    await takeName(path)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await using folder = await open(dirname(path), 'r')
  await folder.sync()
  return (await stat(path)).size
}

/**
 * A rename replaces a file of that name without a word, so the name is taken by an empty file first: only one process can create it.
 * Hard links would do the same, but not every file system that backups are kept on has them.
 */
async function takeName(path: string): Promise<void> {
  await using _taken = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? nameTaken(path) : error
  })
}

const nameTaken = (path: string): CannotStart =>
  new CannotStart(`${path} is there already. Choose a name that is free, or remove it first.`)

/** Far above the largest row. A forged file with longer lines could fill the memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

/** Reads the lines of a backup in bounded memory, whatever the file contains. */
export async function* readBackupFile(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip()
  const ended = pipeline(createReadStream(file), unpacked)
  // Thrown below, after everything readable was yielded.
  ended.catch(() => undefined)
  let pieces: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of unpacked) {
      const bytes: Buffer = chunk
      let from = 0
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...pieces, bytes.subarray(from, end)]).toString('utf8')
        pieces = []
        length = 0
        from = end + 1
      }
      pieces.push(bytes.subarray(from))
      length += bytes.length - from
      if (length > MAX_LINE_BYTES)
        throw new BackupRefused(`${file} is not a backup of Shipway: one of its lines is too long.`)
    }
    await ended
  } catch (error) {
    throw explain(file, error)
  }
  if (length > 0)
    throw new BackupRefused(`${file} is not whole: its end is missing. Copy it again, or use another one.`)
}

const NEWLINE = 0x0a

function explain(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code } = error
  if (code === 'ENOENT') return new CannotStart(`There is no file ${file}. Check the path.`)
  if (code === 'EACCES') return new CannotStart(`${file} cannot be read. Let this user read it.`)
  if (code === 'Z_BUF_ERROR')
    return new BackupRefused(`${file} is not whole: its end is missing. Copy it again, or use another one.`)
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return new BackupRefused(`${file} is not a backup of Shipway, or it is damaged. Copy it again, or use another one.`)
  }
  return error
}
