// Finds the files of a release, verifies them, and unpacks them beside the other versions.
import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config.ts'
import { CannotStart } from '../../domain/cannot-start.ts'
import { runProcess } from '../../remote/process.ts'
import { reasonOf } from '../doctor/finding.ts'
import { DRAFT, INSTALLED, isVersion, VERSIONS } from './installed-versions.ts'

const CHECKSUMS = 'SHA256SUMS'
const SIGNATURE = 'SHA256SUMS.sig'
/** The key that the first installation pinned. */
const RELEASE_KEY = '/etc/shipway/release.pub'

export type ReleaseFiles = { readonly folder: string; readonly name: string; readonly version: string; remove(): void }

/** What an administrator names: a version to download, or a file. */
type Wanted = { readonly text: string; readonly name: string; readonly version: string }

/** Refuses what this machine cannot run before anything is read. */
export function readWanted(text: string): Wanted {
  const name = isVersion(text) ? `shipway-${text}-linux-${process.arch}.tar.gz` : basename(text)
  const [, version = '', machine = ''] = /^shipway-(.+)-linux-([a-z0-9]+)\.tar\.gz$/.exec(name) ?? []
  if (!isVersion(version)) {
    throw new CannotStart(`${text} is neither a version nor a file such as shipway-1.16.0-linux-${process.arch}.tar.gz`)
  }
  if (machine !== process.arch) {
    throw new CannotStart(
      `${name} is for another processor (${machine}). This machine needs shipway-${version}-linux-${process.arch}.tar.gz`,
    )
  }
  return { text, name, version }
}

/** Copies the files first: what is verified is what is unpacked. */
export async function fetchRelease(
  config: Config,
  { text, name, version }: Wanted,
  installed = INSTALLED,
): Promise<ReleaseFiles> {
  const folder = mkdtempSync(join(installed, DRAFT))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    for (const file of [name, CHECKSUMS, SIGNATURE]) {
      const isFound = isVersion(text)
        ? await download(addressOf(config, text, file), join(folder, file), file === name ? MAX_ARCHIVE : MAX_LIST)
        : copy(join(dirname(text), file), join(folder, file))
      if (!isFound && file !== SIGNATURE) throw new CannotStart(`There is no ${file} of ${text}`)
    }
    return { folder, name, version, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Several times what a release has. */
const MAX_ARCHIVE = 1 << 30
const MAX_LIST = 1 << 20

function addressOf({ releasesUrl }: Config, version: string, file: string): string {
  if (releasesUrl === undefined)
    throw new CannotStart('Set SHIPWAY_RELEASES_URL to download releases, or name the file of one')
  return `${releasesUrl}/${encodeURIComponent(version)}/${encodeURIComponent(file)}`
}

/** False if there is no such file. */
export async function download(url: string, file: string, maxBytes: number): Promise<boolean> {
  const fail = (cause: unknown): never => {
    if (cause instanceof CannotStart) throw cause
    const reason = reasonOf(cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause)
    throw new CannotStart(`${url} cannot be downloaded (${reason})`, { cause })
  }
  const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) }).catch(fail)
  if (answer.status === 404) {
    await answer.body?.cancel()
    return false
  }
  if (!answer.ok || !answer.body) throw new CannotStart(`${url} answers with ${answer.status}`)
  const refuseMore = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new CannotStart(`${url} has more than ${maxBytes} bytes, which no release has`)
      yield chunk
    }
  }
  await pipeline(answer.body, refuseMore, createWriteStream(file)).catch(fail)
  return true
}

const DOWNLOAD_MS = 15 * 60_000

function copy(from: string, to: string): boolean {
  if (!existsSync(from)) return false
  try {
    copyFileSync(from, to)
  } catch (cause) {
    throw new CannotStart(`${from} cannot be copied (${reasonOf(cause)})`, { cause })
  }
  return true
}

type Trust = { readonly mayBeUnsigned: boolean; readonly keyFile?: string }

/** Unpacks it beside the other versions. */
export async function unpackRelease(files: ReleaseFiles, trust: Trust, versions = VERSIONS): Promise<void> {
  await verifyRelease(files, trust)
  const place = join(versions, files.version)
  const partial = `${place}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial)
  try {
    // Whatever root's umask is, the platform's user reads it.
    chmodSync(partial, 0o755)
    const archive = join(files.folder, files.name)
    const words = ['tar', '-xzf', archive, '--no-same-owner', '--strip-components=1', '-C', partial] as const
    const { exitCode, stderr } = await runProcess(words)
    if (exitCode !== 0) throw new CannotStart(`${files.name} cannot be unpacked: ${stderr.toString('utf8').trim()}`)
    const named = readFileSync(join(partial, 'version'), 'utf8').trim()
    if (named !== files.version)
      throw new CannotStart(`${files.name} has the version ${named}. Download the release again`)
    await writeToDisk(partial)
    rmSync(place, { recursive: true, force: true })
    renameSync(partial, place)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Otherwise a power cut soon after the rename leaves the folder with empty files. */
async function writeToDisk(folder: string): Promise<void> {
  const { exitCode, stderr } = await runProcess(['sync', '--file-system', folder])
  if (exitCode !== 0) throw new CannotStart(`${folder} cannot be written: ${stderr.toString('utf8').trim()}`)
}

/** Rejects unless the checksum is right, and signed by the pinned key. */
export async function verifyRelease(
  { folder, name }: Pick<ReleaseFiles, 'folder' | 'name'>,
  { mayBeUnsigned, keyFile = RELEASE_KEY }: Trust,
): Promise<void> {
  const list = readFileSync(join(folder, CHECKSUMS))
  const hasSignature = existsSync(join(folder, SIGNATURE))
  if (existsSync(keyFile)) {
    if (!hasSignature) throw new CannotStart(`${SIGNATURE} is missing, and releases of this installation are signed`)
    if (!verify(null, list, createPublicKey(readFileSync(keyFile)), readFileSync(join(folder, SIGNATURE)))) {
      throw new CannotStart(
        'The signature is wrong. Do not use these files: download the release again from its publisher',
      )
    }
  } else if (!mayBeUnsigned) {
    throw new CannotStart(
      `This installation has no key of its releases (${keyFile}), so only the checksum can be checked. If you made the release yourself, pass --unsigned`,
    )
  }
  const line = `${await checksumOf(join(folder, name))}  ${name}`
  if (!list.toString('utf8').split('\n').includes(line)) {
    throw new CannotStart(`${name} is damaged or was changed. Download it again`)
  }
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
