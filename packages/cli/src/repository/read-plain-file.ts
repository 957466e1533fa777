// Reads an untrusted file: only a plain one, of limited size, and without blocking.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

export type PlainFile =
  | { readonly kind: 'file'; readonly content: Buffer }
  | { readonly kind: 'too_large'; readonly size: number }
  /** A folder, a pipe, a device. */
  | { readonly kind: 'other' }

/** Rejects like `open` if the file is missing or not readable. Follows links by default. */
export async function readPlainFile(
  file: string,
  { mostBytes, followsLinks = true }: { readonly mostBytes: number; readonly followsLinks?: boolean },
): Promise<PlainFile> {
  // Without O_NONBLOCK, opening a pipe would block until it has a writer.
  const flags = constants.O_RDONLY | (followsLinks ? 0 : constants.O_NOFOLLOW) | constants.O_NONBLOCK
  const opened = await open(file, flags).catch(ifSocket)
  if (!opened) return { kind: 'other' }
  try {
    const { size, isPlain } = await opened.stat().then((found) => ({ size: found.size, isPlain: found.isFile() }))
    if (!isPlain) return { kind: 'other' }
    if (size > mostBytes) return { kind: 'too_large', size }
    const buffer = Buffer.alloc(size)
    const { bytesRead } = await opened.read(buffer, 0, size, 0)
    return { kind: 'file', content: buffer.subarray(0, bytesRead) }
  } finally {
    await opened.close()
  }
}

/** A socket cannot be opened at all. */
function ifSocket(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENXIO' || error.code === 'EOPNOTSUPP') return undefined
  throw error
}
