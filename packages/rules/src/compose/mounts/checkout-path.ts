// Whether a path is inside the checkout, and which capability a path outside needs.
import { posix } from 'node:path'
import type { Capability } from '../policy/capabilities.ts'

export type Checkout = {
  /** Absolute, on the server. */
  readonly folder: string
  /** Symbolic links of the checkout, relative to it: no path may pass one, since it can lead anywhere. */
  readonly links: ReadonlySet<string>
}

/** The kernel's limit. Each folder of a path is checked, so longer paths are refused. */
const LONGEST_PATH = 4096
const MOST_FOLDERS = 100

/** Lexically, with the known links. The path is absolute, as Compose resolves it. */
export function isInCheckout(path: string, { folder, links }: Checkout): boolean {
  // Scripts on the server read one path a line.
  if (!posix.isAbsolute(path) || /[\0\n]/.test(path) || isTooLong(path)) return false
  const relative = posix.relative(posix.normalize(folder), posix.normalize(path))
  return relative === '' || (!leadsOut(relative) && !passesLink(relative, links))
}

export function isTooLong(path: string): boolean {
  return path.length > LONGEST_PATH || path.split('/', MOST_FOLDERS + 1).length > MOST_FOLDERS
}

/** Without `.`, resolvable `..`, and a trailing slash. */
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

/** The capability that a mount of a path outside the checkout needs. */
export function capabilityOfPath(path: string, platformFolder: string): Capability {
  if (isTooLong(path)) return 'privileged'
  const normal = normalPath(path)
  const touches = (other: string): boolean => normal === other || isBelow(other, normal) || isBelow(normal, other)
  if ([...rootOnly, normalPath(platformFolder)].some(touches)) return 'privileged'
  return /\.sock$/.test(path) || sockets.some(touches) ? 'docker_socket' : 'host_paths'
}

/** Strictly inside. Both are normal, and absolute as Compose makes them. */
const isBelow = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Write access to these, to their parents or to the platform's folder equals root. */
const rootOnly = ['/proc', '/sys', '/dev', '/boot', '/var/lib/docker', '/var/lib/containerd']
const sockets = ['/var/run', '/run']
