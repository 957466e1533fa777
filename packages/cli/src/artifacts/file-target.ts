// The file that a download is written to. It appears under its name when it is complete.
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { DownloadTarget } from './download-artifact.ts'

export async function openFile(file: string): Promise<DownloadTarget> {
  const draft = join(dirname(file), `.${process.pid}.part`)
  const handle = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw UsageError(`${plainText(file)} cannot be written: ${plainText(error.message)}`)
  })
  return {
    write: (piece) => handle.writeFile(piece),
    finish: async () => {
      await handle.sync()
      await handle.close()
      await rename(draft, file)
    },
    close: async () => {
      await handle.close()
      await rm(draft, { force: true })
    },
  }
}

/** `output` is what -o names: a file, which is replaced, or a folder. Without it, and in a folder, no file is replaced. */
export async function chooseFile(folder: string, output: string | undefined, name: string): Promise<string> {
  const given = resolve(folder, output ?? '')
  if (output !== undefined && (await kindOf(given)) !== 'folder') {
    if (/[/\\]$/.test(output)) throw UsageError(`There is no folder ${plainText(output)}`)
    return given
  }
  const file = join(given, name)
  if ((await kindOf(file)) === undefined) return file
  throw UsageError(
    `${plainText(output === undefined ? name : file)} already exists`,
    'Give another name with -o, or the same one to replace it',
  )
}

async function kindOf(path: string): Promise<'folder' | 'other' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}
