// Replaces the file of this program, atomically. A new file that does not run is not kept.
import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from './command-error.ts'
import { runProcess } from './process.ts'
import { plainText } from './terminal/sanitize.ts'

type Replaced = { readonly file: string; readonly version: string }

/** `program`: the path that it was started by. A link to it stays. */
export async function replaceProgram(program: string, bytes: Buffer): Promise<Replaced> {
  const file = await realpath(program)
  const { mode } = await stat(file)
  // In the same folder, so that renaming is atomic. Node takes the ending for the kind of module.
  const fresh = `${file}.${randomUUID()}.mjs`
  try {
    const handle = await open(fresh, 'wx', mode).catch((error: NodeJS.ErrnoException) => {
      throw NotWritable(dirname(file), error)
    })
    try {
      await handle.writeFile(bytes)
      await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const version = await versionOf(fresh)
    await rename(fresh, file)
    return { file, version }
  } finally {
    await rm(fresh, { force: true })
  }
}

async function versionOf(file: string): Promise<string> {
  let output = ''
  const code = await runProcess([process.execPath, file, '--version'], {
    folder: dirname(file),
    onOutput: (piece) => {
      output += piece
    },
    onErrors: () => undefined,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const version = /^shipway (\S{1,100})\n$/.exec(output)?.[1]
  if (code === 0 && version !== undefined) return version
  throw new CommandError('The client that was downloaded does not run here, so it was not kept', {
    code: 'client_does_not_run',
  })
}

const TIMEOUT_MS = 30_000

const NotWritable = (folder: string, { message }: Error): CommandError =>
  new CommandError(`${plainText(folder)} cannot be written: ${plainText(message)}`, {
    code: 'not_writable',
    advice: ['Run it as a user who may write there, such as with sudo'],
  })
