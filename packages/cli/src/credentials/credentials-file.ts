// The file that sign-ins are kept in: read as a whole, replaced as a whole, for its owner alone.
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
  /** The platform of the last sign-in, which commands go to unless told. */
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

/** Whoever calls holds the lock. A reader sees the old file or the new one, whatever happens in between. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Where the file is a link, into a folder of settings for one, the link stays.
  const target = await realpath(file).catch(orIfAbsent(file))
  const fresh = `${target}.new`
  const handle = await open(fresh, 'w', 0o600)
  try {
    // One that a killed process left behind has kept its own mode.
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
  // Copied from elsewhere, perhaps, with a mode that lets others read.
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
