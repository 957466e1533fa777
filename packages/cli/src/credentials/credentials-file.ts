// The file with the sign-ins, readable by its owner only. It is replaced atomically.
import { chmod, mkdir, open, readFile, realpath, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../command-error.ts'

export type SignIn = {
  readonly access_token: string
  readonly refresh_token: string
  /** When the access token ends, in milliseconds. */
  readonly expires_at: number
  readonly scope: string
}

export type Credentials = {
  /** The platform of the last sign-in, which commands use by default. */
  readonly current: string | undefined
  readonly instances: Readonly<Record<string, SignIn>>
}

const NONE: Credentials = { current: undefined, instances: {} }

export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readText(file)
  if (text === undefined) return NONE
  try {
    return parse(text)
  } catch (cause) {
    throw Unreadable(file, cause)
  }
}

/** The caller holds the lock. Readers see either the old or the new file. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // If the file is a link, for example into a folder of dotfiles, the link stays.
  const target = await realpath(file).catch(orIfAbsent(file))
  const fresh = `${target}.new`
  const handle = await open(fresh, 'w', 0o600)
  try {
    // A file left by a killed process keeps its old mode.
    await handle.chmod(0o600)
    await handle.writeFile(`${JSON.stringify({ version: 1, ...credentials }, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, target)
}

async function readText(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(orIfAbsent(undefined))
  // The file may have been copied with a mode that lets others read it.
  if (text !== undefined && process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0)
    await chmod(file, 0o600)
  return text
}

function parse(text: string): Credentials {
  const { version, current, instances }: Record<string, unknown> = JSON.parse(text)
  if (version !== 1) throw new Error(`version ${version} is not known`)
  if (typeof instances !== 'object' || instances === null) throw new Error('instances are missing')
  const entries = Object.entries(instances).map(([instance, entry]) => [instance, readSignIn(entry)])
  return { current: typeof current === 'string' ? current : undefined, instances: Object.fromEntries(entries) }
}

function readSignIn(entry: unknown): SignIn {
  const { access_token, refresh_token, expires_at, scope } = Object(entry)
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') throw new Error('a token is missing')
  if (typeof expires_at !== 'number' || typeof scope !== 'string') throw new Error('a time or a scope is missing')
  return { access_token, refresh_token, expires_at, scope }
}

const Unreadable = (file: string, cause: unknown): Error =>
  Object.assign(
    new CommandError(`${file} could not be read as credentials`, {
      code: 'credentials_unreadable',
      advice: ['Move it away, and sign in again: shipway login'],
    }),
    { cause },
  )

const orIfAbsent =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value
    throw error
  }
