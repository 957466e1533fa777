/** Loads the master key, which seals all other secrets: from a setting, a given file or the data folder. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CannotStart } from '../domain/cannot-start.ts'
import { Secret } from './secret.ts'

export type MasterKey = Secret<Uint8Array>

export interface MasterKeySettings {
  readonly key?: string
  readonly keyFile?: string
  readonly dataFolder: string
}

export async function loadMasterKey(settings: MasterKeySettings): Promise<MasterKey> {
  return (await findMasterKey(settings)) ?? makeKey(settings.dataFolder)
}

/** Returns undefined if neither the settings nor the data folder have a key. */
export async function findMasterKey({ key, keyFile, dataFolder }: MasterKeySettings): Promise<MasterKey | undefined> {
  if (key !== undefined && keyFile !== undefined) {
    throw new MasterKeyRefused('The master key is given both as a value and as a file. Give one of them.')
  }
  if (key !== undefined) return parseMasterKey(key, 'The master key in the settings')
  if (keyFile === undefined) return readKeyFile(masterKeyFileOf(dataFolder))
  const given = await readKeyFile(keyFile)
  if (!given)
    throw new MasterKeyRefused(`The master key file ${keyFile} does not exist. Create it or correct the path.`)
  return given
}

/** The key cannot be used. The message says why and what to do, and never contains the key. */
export class MasterKeyRefused extends CannotStart {
  override readonly name = 'MasterKeyRefused'
}

const keyLength = 32

export const masterKeyFileOf = (dataFolder: string): string => join(dataFolder, 'master.key')
/** The new key during a change of the master key. */
export const nextKeyFileOf = (dataFolder: string): string => join(dataFolder, 'master.key.next')

async function makeKey(dataFolder: string): Promise<MasterKey> {
  const path = masterKeyFileOf(dataFolder)
  await makeKeyFile(path)
  // Read back, because two processes may start at once and must both use the key that was written first.
  const made = await readKeyFile(path)
  if (!made) throw new MasterKeyRefused(`The master key file ${path} vanished while it was created. Start again.`)
  return made
}

/**
 * Writes the key atomically and durably. Uses link(), which refuses to replace a file; rename() would overwrite a key that may have
 * sealed something already.
 */
export async function makeKeyFile(
  path: string,
  key: MasterKey = new Secret<Uint8Array>(randomBytes(keyLength)),
): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  await writeDurably(draft, `${Buffer.from(key.reveal()).toString('base64')}\n`)
  try {
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  await using opened = await open(folder, 'r')
  await opened.sync()
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

export async function readKeyFile(path: string): Promise<MasterKey | undefined> {
  const opened = await open(path, 'r').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw new MasterKeyRefused(`The master key file ${path} cannot be read. Let the server's user read it.`, {
      cause: error,
    })
  })
  if (!opened) return undefined
  await using file = opened
  // Checks the open file and not the path, which could lead to another file by the time it is read.
  const { mode, size } = await file.stat()
  if ((mode & 0o170000) !== 0o100000) throw new MasterKeyRefused(`The master key file ${path} is not a regular file.`)
  if ((mode & 0o077) !== 0) {
    throw new MasterKeyRefused(
      `The master key file ${path} can be accessed by other users of this machine. Run: chmod 600 ${path}`,
    )
  }
  if (size > 1024) throw wrongLength(`The master key file ${path}`)
  return parseMasterKey(await file.readFile('utf8'), `The master key file ${path}`)
}

export function parseMasterKey(text: string, what: string): MasterKey {
  const bytes = decodeKey(text.trim())
  if (!bytes) throw wrongLength(what)
  if (isGuessable(bytes)) throw new MasterKeyRefused(`${what} is not random. Make one with: openssl rand -base64 32`)
  return new Secret(bytes)
}

function decodeKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  // A phrase of 43 letters is valid base64 too, but most have bits set that an encoder leaves at zero.
  const written = text.replaceAll('-', '+').replaceAll('_', '/').replace('=', '')
  return bytes.toString('base64').startsWith(written) ? bytes : undefined
}

/** Detects keys that are not random: a repeated byte or short pattern, or counting up (00 01 02 …). */
function isGuessable(bytes: Uint8Array): boolean {
  const steps = new Set(bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0)))
  return new Set(bytes).size < 12 || steps.size === 1
}

const wrongLength = (what: string) =>
  new MasterKeyRefused(`${what} is not 32 bytes in base64 or hex. Make one with: openssl rand -base64 32`)

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
