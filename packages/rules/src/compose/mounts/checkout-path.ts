// Which paths of the machine lie inside the checkout, and which of the others give away more than files.
import { posix } from 'node:path'
import type { Capability } from '../policy/capabilities.ts'

export type Checkout = {
  /** Absolute, on the server. */
  readonly folder: string
  /** Symbolic links of the checkout, relative to it: no path may pass one, since it can lead anywhere. */
  readonly links: ReadonlySet<string>
}

/** What the kernel takes; each of its folders is looked at, so a longer one is not. */
const LONGEST_PATH = 4096
const MOST_FOLDERS = 100

/** By the words of the path and the links that are known; an absolute path, since Compose resolves them. */
export function isInCheckout(path: string, { folder, links }: Checkout): boolean {
  // Scripts on the server read one path a line.
  if (!posix.isAbsolute(path) || /[\0\n]/.test(path) || isTooLong(path)) return false
  const relative = posix.relative(posix.normalize(folder), posix.normalize(path))
  return relative === '' || (!leadsOut(relative) && !passesLink(relative, links))
}

export function isTooLong(path: string): boolean {
  return path.length > LONGEST_PATH || path.split('/', MOST_FOLDERS + 1).length > MOST_FOLDERS
}

/** Without what says nothing: `.`, `..` that can be followed, and a stroke at the end. */
const normalPath = (path: string): string => posix.normalize(path).replace(/(?<=.)\/$/, '')

export function leadsOut(relative: string): boolean {
  return relative === '..' || relative.startsWith('../') || posix.isAbsolute(relative)
}

export function passesLink(relative: string, links: ReadonlySet<string>): boolean {
  const segments = relative.split('/')
  return segments.some((_, index) => links.has(segments.slice(0, index + 1).join('/')))
}

/** Strictly inside. */
export function liesIn(path: string, folder: string): boolean {
  const relative = posix.relative(posix.normalize(folder), posix.normalize(path))
  return relative !== '' && !leadsOut(relative)
}

/** What an owner must grant before a path outside the checkout is mounted. */
export function capabilityOfPath(path: string, platformFolder: string): Capability {
  if (isTooLong(path)) return 'privileged'
  const normal = normalPath(path)
  const touches = (place: string): boolean => normal === place || isBelow(place, normal) || isBelow(normal, place)
  if ([...rootOnly, normalPath(platformFolder)].some(touches)) return 'privileged'
  return /\.sock$/.test(path) || sockets.some(touches) ? 'docker_socket' : 'host_paths'
}

/** Strictly inside. Both are normal, and absolute as Compose makes them. */
const isBelow = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Whoever can write there, or to what holds it, has all rights on the machine; so has whoever can write to the platform's folder. */
const rootOnly = ['/proc', '/sys', '/dev', '/boot', '/var/lib/docker', '/var/lib/containerd']
const sockets = ['/var/run', '/run']
