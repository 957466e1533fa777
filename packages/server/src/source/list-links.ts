/**
 * Lists all files of a commit: finds compose files and symbolic links, since a path through one may lead out of the checkout, and refuses a commit with more
 * files than a server should check out. git stores equal folders once, so a push of some kilobytes can contain any number of files. The
 * list is streamed, and reading stops at the limits.
 */
import { isComposePath, MOST_COMPOSE_FILES } from '@shipway/rules/service-file/find-compose-files'
import { keptRefs, type RefNamespace } from '../commands/git.ts'
import { listTree } from '../commands/mirror.ts'
import { queryMirror } from './mirror-process.ts'
import { SourceError } from './source-error.ts'

/** `links`: number of links; `linkBytes`: length of their paths in all. `bytes`: size of all files. */
type TreeLimits = {
  readonly files: number
  readonly bytes: number
  readonly links: number
  readonly linkBytes: number
}

const defaultLimits: TreeLimits = { files: 300_000, bytes: 16 * 1024 ** 3, links: 10_000, linkBytes: 1024 * 1024 }

export const MOST_TREE_FILES = defaultLimits.files

/** The longest path, with the fields before it. */
const MOST_ENTRY_BYTES = 4096 + 100

/** The links, relative to the root. Throws a SourceError if the commit exceeds the limits. */
export async function listLinksAt(mirror: string, sha: string, limits = defaultLimits): Promise<ReadonlySet<string>> {
  const links = new Set<string>()
  await listEntries(mirror, sha, {
    limits,
    onEntry: (entry) => void (entry.startsWith(LINK) && links.add(pathOf(entry))),
  })
  return links
}

/** The plain files that are named like a compose file. Throws a SourceError if the commit exceeds the limits. */
export async function listComposeFilesAt(mirror: string, sha: string): Promise<readonly string[]> {
  const found: string[] = []
  await listEntries(mirror, sha, {
    limits: defaultLimits,
    onEntry: (entry) => {
      if (found.length >= MOST_COMPOSE_FILES || !entry.startsWith(PLAIN_FILE) || !/compose/i.test(entry)) return
      const path = pathOf(entry)
      if (isComposePath(path)) found.push(path)
    },
  })
  return found
}

/** Those of the paths that are plain files. Throws a SourceError if the commit exceeds the limits. */
export async function findFilesAt(
  mirror: string,
  sha: string,
  paths: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  await listEntries(mirror, sha, {
    limits: defaultLimits,
    onEntry: (entry) => {
      const path = entry.startsWith(PLAIN_FILE) ? pathOf(entry) : undefined
      if (path !== undefined && paths.has(path)) found.add(path)
    },
  })
  return found
}

export type TreeSize = { readonly files: number; readonly bytes: number }

/** Throws a SourceError if the commit exceeds the limits. */
export const countTree = (mirror: string, sha: string, refNamespace: RefNamespace): Promise<TreeSize> =>
  listEntries(mirror, sha, { limits: defaultLimits, refNamespace, onEntry: () => undefined })

/** The commits of submodules by their paths. Throws a SourceError if the commit exceeds the limits. */
export async function listSubmodulesAt(
  mirror: string,
  sha: string,
  refNamespace: RefNamespace,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  await listEntries(mirror, sha, {
    limits: defaultLimits,
    refNamespace,
    onEntry: (entry) => {
      const commit = /^160000 commit ([0-9a-f]{40}) /.exec(entry)?.[1]
      if (commit !== undefined) found.set(pathOf(entry), commit)
    },
  })
  return found
}

type Listing = {
  readonly limits: TreeLimits
  readonly refNamespace?: RefNamespace
  readonly onEntry: (entry: string) => void
}

async function listEntries(
  mirror: string,
  sha: string,
  { limits, refNamespace = keptRefs, onEntry }: Listing,
): Promise<TreeSize> {
  const counted = { files: 0, bytes: 0, links: 0, linkBytes: 0 }
  let rest = ''
  const take = (entry: string): void => {
    counted.files++
    counted.bytes += Number(/^\S+ \S+ \S+ +(\d+)/.exec(entry)?.[1] ?? 0)
    if (entry.startsWith(LINK)) {
      counted.links++
      counted.linkBytes += entry.length
    }
    onEntry(entry)
  }
  const { exitCode, stderr } = await queryMirror(listTree(mirror, sha, refNamespace), {
    timeoutMs: 60_000,
    onOutput: (bytes) => {
      const entries = (rest + bytes.toString('latin1')).split('\0')
      rest = entries.pop() ?? ''
      for (const entry of entries) take(entry)
      if (rest.length > MOST_ENTRY_BYTES) throw new SourceError('too_large', 'The commit has a path that is too long')
      refuseBeyond(counted, limits)
    },
  })
  if (exitCode !== 0) throw new Error(`git cannot list ${sha}: ${stderr}`)
  return counted
}

const LINK = '120000 '
const PLAIN_FILE = '100'

/** Thrown while git lists, it ends git as well. */
function refuseBeyond(counted: TreeLimits, limits: TreeLimits): void {
  const advice = 'Remove what a deployment does not need from the repository'
  const refuse = (what: string) => new SourceError('too_large', `The commit has more than ${what}. ${advice}`)
  if (counted.files > limits.files) throw refuse(`${limits.files.toLocaleString('en')} files`)
  if (counted.bytes > limits.bytes) throw refuse(`${Math.floor(limits.bytes / 1024 ** 3)} GiB of files`)
  if (counted.links > limits.links) throw refuse(`${limits.links.toLocaleString('en')} symbolic links`)
  if (counted.linkBytes > limits.linkBytes) throw refuse('a mebibyte of paths of symbolic links')
}

/** Decodes only here, because a character may be split between two pieces. */
function pathOf(entry: string): string {
  return Buffer.from(entry.slice(entry.indexOf('\t') + 1), 'latin1').toString()
}
