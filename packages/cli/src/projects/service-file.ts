// The `.service.yml` for the settings of a project: the name of a file, or `none` to remove it.
import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { readPlainFile } from '../repository/read-plain-file.ts'
import { plainText } from '../terminal/sanitize.ts'

const MOST_BYTES = 256 * 1024

export async function readServiceFile(ctx: Context, word: string | undefined): Promise<string | null | undefined> {
  if (word === undefined || word === 'none') return word === undefined ? undefined : null
  const read = await readPlainFile(resolve(ctx.folder, word), { mostBytes: MOST_BYTES }).catch(() => undefined)
  if (read?.kind === 'too_large') throw UsageError(`${plainText(word)} is larger than 256 KiB`)
  if (read?.kind !== 'file') throw UsageError(`${plainText(word)} is not a file that can be read`)
  if (!isUtf8(read.content)) throw UsageError(`${plainText(word)} is not text in UTF-8`)
  return read.content.toString()
}
