// The versions of an installation: folders beside each other, and links to the one that runs, to the one that is tried, and, while that one
// becomes the one that runs, to the one before.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from '../../domain/cannot-start.ts'

export const INSTALLED = '/opt/shipway'
export const VERSIONS = join(INSTALLED, 'versions')

/** Of a release, such as `1.16.0`, or of a build between two of them. */
export const isVersion = (text: string): boolean => /^[0-9]+\.[0-9]+\.[0-9]+(?:\+[0-9A-Za-z]+)?$/.test(text)

/** False for a folder that a power cut left without its contents. */
export function hasVersion(text: string, versions = VERSIONS): boolean {
  if (!isVersion(text)) return false
  const folder = join(versions, text)
  return textOf(join(folder, 'version')) === text && textOf(join(folder, 'oldest-release')) !== ''
}

/** Empty if there is no such file. */
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')

export function currentVersion(installed = INSTALLED): string {
  const version = readFileSync(join(installed, 'current/version'), 'utf8').trim()
  if (!isVersion(version)) throw new CannotStart(`${installed}/current/version names no version. Run install.sh again`)
  return version
}

/** In one step: there is no moment without the link. */
export function pointLink(link: 'current' | 'next' | 'previous', version: string, installed = INSTALLED): void {
  const draft = join(installed, `.${link}`)
  const path = join(installed, link)
  rmSync(draft, { force: true })
  symlinkSync(`versions/${version}`, draft)
  // Nothing runs from the other two when they are made.
  if (link !== 'current' && isFolder(path)) rmSync(path, { recursive: true })
  renameSync(draft, path)
}

/** A copy of an installation that followed its links has folders in place of them. */
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** What an upgrade that was interrupted replaced, or was about to replace. */
export function earlierVersion(installed = INSTALLED): string {
  const previous = textOf(join(installed, 'previous/version'))
  return hasVersion(previous, join(installed, 'versions')) ? previous : currentVersion(installed)
}

/** An upgrade that is undone leads `current` to this folder again, and takes the units from it. */
export function refuseWithoutWayBack(installed = INSTALLED): void {
  const version = currentVersion(installed)
  const versions = join(installed, 'versions')
  if (isFolder(join(installed, 'current'))) {
    throw new CannotStart(
      `${installed}/current is a folder in place of a link, so the upgrade could not be undone. Run install.sh of ${version} again`,
    )
  }
  if (hasVersion(version, versions)) return
  throw new CannotStart(
    `${version} runs, but its folder ${join(versions, version)} is missing or incomplete, so the upgrade could not be undone. Run install.sh of ${version} again`,
  )
}

/** Once an upgrade has ended, nothing leads back. */
export const forgetPrevious = (installed = INSTALLED): void =>
  rmSync(join(installed, 'previous'), { recursive: true, force: true })

/** The oldest release that works on the tables of a version; undefined if the version does not say. */
export function oldestReleaseOf(version: string): string | undefined {
  const text = textOf(join(VERSIONS, version, 'oldest-release'))
  return isVersion(text) ? text : undefined
}

export function removeOldVersions(kept: readonly string[]): void {
  for (const name of readdirSync(VERSIONS)) {
    if (!kept.includes(name)) rmSync(join(VERSIONS, name), { recursive: true, force: true })
  }
}

/** One that was tried, and the link to it. It stays while it runs: if the earlier one could not be started, it still serves. */
export function removeTried(version: string, installed = INSTALLED): void {
  const folder = join(installed, 'versions', version)
  if (isInUse(folder)) return
  rmSync(join(installed, 'next'), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** Whether a process runs a program of the folder, whichever service it belongs to. */
function isInUse(folder: string): boolean {
  const prefix = `${realpathSync(folder)}/`
  return readdirSync('/proc').some((process) => programOf(process).startsWith(prefix))
}

function programOf(process: string): string {
  try {
    return readlinkSync(join('/proc', process, 'exe'))
  } catch {
    // It has ended, or belongs to the kernel, or this is no process.
    return ''
  }
}

/** What upgrades left behind that were killed. */
export function removeDrafts(): void {
  for (const name of readdirSync(INSTALLED)) {
    if (name.startsWith(DRAFT)) rmSync(join(INSTALLED, name), { recursive: true, force: true })
  }
}

/** Begins the names of folders for downloads. */
export const DRAFT = '.release-'

/** Held while a version is changed. */
export const LOCK = join(INSTALLED, '.upgrade.lock')
