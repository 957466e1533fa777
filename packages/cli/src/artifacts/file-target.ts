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
  const kind = await kindOf(given)
  if (output !== undefined && kind !== 'folder') {
    if (/[/\\]$/.test(output)) throw UsageError(`There is no folder ${plainText(output)}`)
    // A new file would take the place of the device.
    if (kind === 'device') throw UsageError(`${plainText(output)} is not a file`, 'Print it with -o -, and redirect it')
    return given
  }
  const file = join(given, name)
  if ((await kindOf(file)) === undefined) return file
  throw UsageError(
    `${plainText(output === undefined ? name : file)} already exists`,
    'Give another name with -o, or the same one to replace it',
  )
}

/** A pipe or a socket counts as a device. */
async function kindOf(path: string): Promise<'folder' | 'file' | 'device' | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'folder'
    return found.isFile() ? 'file' : 'device'
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}
