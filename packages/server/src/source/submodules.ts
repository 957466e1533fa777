/**
 * Fetches the submodules of a commit into the mirror of its project, and adds their files to the commit in the place of the references.
 * From then on the commit is one tree: it is checked, sent to servers and checked out as if it had no submodules, and no `git submodule`
 * ever runs, which would act on settings that the commit's author wrote.
 *
 * All of them come from the git host of the project (see `findSubmoduleAddress`). A commit of a fork reads them without the key and the
 * tokens of the project: its author could name any repository that these can read.
 */
import { faultLine } from '@shipway/rules/fault'
import { MOST_SUBMODULES_BYTES, readSubmodules, SUBMODULES_FILE } from '@shipway/rules/submodules/read-submodules'
import { findSubmoduleAddress } from '@shipway/rules/submodules/submodule-address'
import { keptRefs, submoduleRefs } from '../commands/git.ts'
import { addSubmodules, findKept, submoduleLine } from '../commands/mirror.ts'
import { type ConnectOptions, connect, type Repository } from './connection.ts'
import { countTree, listSubmodulesAt, MOST_TREE_FILES, type TreeSize } from './list-links.ts'
import { fetchIntoMirror, findCommit } from './mirror.ts'
import { queryMirror } from './mirror-process.ts'
import { readFileAt } from './read-file.ts'
import type { GitIo } from './run-git.ts'
import { SourceError } from './source-error.ts'

/** In one commit, with those of its submodules. */
const MOST_SUBMODULES = 32
/** 1 is a submodule of the project's repository. */
const MOST_DEPTH = 4

export type SubmodulesToFetch = { readonly sha: string; readonly isFork: boolean }

type Fetching = SubmodulesToFetch & {
  readonly mirror: string
  readonly repository: Repository
  /** Of all submodules together, in bytes. */
  readonly mostBytes: number
  readonly options: ConnectOptions
  readonly io: GitIo
}

export type FetchedSubmodule = { readonly path: string; readonly sha: string; readonly address: string }

/** A commit that names submodules: itself, or one of them. */
type Parent = {
  readonly sha: string
  readonly address: string
  /** Its folder, with a slash at the end; empty for the commit itself. */
  readonly folder: string
  readonly depth: number
}

/** The tree that has the submodules of a kept commit; undefined if they were not added. */
export async function findWholeTree(mirror: string, sha: string): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await queryMirror(findKept(mirror, sha))
  if (exitCode !== 0) throw new Error(`git cannot find ${sha}: ${stderr}`)
  const [commit, tree] = stdout.toString().trim().split('\n')
  return commit === sha ? undefined : tree
}

/** Of a commit in the mirror. Throws a SourceError that names the submodule. */
export async function fetchSubmodules(
  fetching: Fetching,
): Promise<{ readonly fetched: readonly FetchedSubmodule[]; readonly tree: string | undefined }> {
  const { mirror, sha, repository } = fetching
  const fetched: FetchedSubmodule[] = []
  const sizes: TreeSize[] = [await countTree(mirror, sha, keptRefs)]
  const open: Parent[] = [{ sha, address: repository.address, folder: '', depth: 1 }]
  for (let parent = open.shift(); parent !== undefined; parent = open.shift()) {
    for (const found of await findSubmodules(fetching, parent)) {
      if (parent.depth > MOST_DEPTH) throw refusal(found.path, `it is more than ${MOST_DEPTH} submodules deep`)
      if (fetched.length === MOST_SUBMODULES) throw refusal(found.path, `more than ${MOST_SUBMODULES} are not fetched`)
      await fetchOne(fetching, found, bytesOf(sizes.slice(1)))
      sizes.push(await countTree(mirror, found.sha, submoduleRefs).catch(namedAfter(found)))
      if (filesOf(sizes) > MOST_TREE_FILES)
        throw refusal(found.path, 'with it, the commit has more files than are checked out')
      if (bytesOf(sizes.slice(1)) > fetching.mostBytes)
        throw refusal(found.path, 'the submodules are larger than the platform takes')
      fetched.push(found)
      open.push({ sha: found.sha, address: found.address, folder: `${found.path}/`, depth: parent.depth + 1 })
    }
  }
  return { fetched, tree: fetched.length === 0 ? undefined : await add(fetching, fetched) }
}

type FoundSubmodule = FetchedSubmodule & { readonly withCredentials: boolean }

/** References that `.gitmodules` does not name, or leaves out, stay empty folders. */
async function findSubmodules(
  { mirror, repository, isFork }: Fetching,
  { sha, address, folder, depth }: Parent,
): Promise<readonly FoundSubmodule[]> {
  const refNamespace = depth === 1 ? keptRefs : submoduleRefs
  const content = await readFileAt(mirror, {
    sha,
    refNamespace,
    path: SUBMODULES_FILE,
    maxBytes: MOST_SUBMODULES_BYTES,
  })
  if (content === undefined) return []
  const { submodules, faults } = readSubmodules(content)
  if (faults.length > 0) {
    const lines = faults.slice(0, 10).map((fault) => `${folder}${faultLine(fault)}`)
    throw new SourceError('submodule_refused', lines.join('\n'))
  }
  const references = await listSubmodulesAt(mirror, sha, refNamespace)
  return submodules.flatMap(({ path, url, isLeftOut }) => {
    const commit = references.get(path)
    if (commit === undefined || isLeftOut) return []
    const place = findSubmoduleAddress({ url, parent: address, project: repository.address, isAnonymous: isFork })
    if (place.fault !== undefined) throw refusal(`${folder}${path}`, place.fault)
    return [{ path: `${folder}${path}`, sha: commit, ...place }]
  })
}

async function fetchOne(
  { mirror, repository, isFork, mostBytes, options, io }: Fetching,
  found: FoundSubmodule,
  bytes: number,
): Promise<void> {
  const { sha, address, withCredentials } = found
  // Whether its author may read it is asked of the git host each time.
  if (!isFork && (await findCommit(mirror, sha, submoduleRefs))) return
  const { tokens, ...own } = repository
  const wanted = { ...own, address, ...(withCredentials && { tokens }) }
  await connect(wanted, options, (connection) =>
    fetchIntoMirror(
      mirror,
      { sha, isAdmitted: true },
      {
        connection,
        maxFileBytes: Math.max(mostBytes - bytes, 1),
        io,
        refNamespace: submoduleRefs,
      },
    ),
  ).catch(namedAfter(found, isFork ? ` ${AS_FORK}` : ''))
}

const AS_FORK = 'In a pull request of a fork, submodules are read without the key of the project: they must be public'

/** Errors of a submodule name it, with what to do. */
const namedAfter =
  ({ path }: Pick<FetchedSubmodule, 'path'>, more = '') =>
  (error: unknown): never => {
    if (!(error instanceof SourceError)) throw error
    throw new SourceError(error.code, `Submodule ${path}: ${error.message}${more && `.${more}`}`, { cause: error })
  }

async function add({ mirror, sha }: Fetching, fetched: readonly FetchedSubmodule[]): Promise<string> {
  const { exitCode, stdout, stderr } = await queryMirror(addSubmodules(mirror, sha), {
    input: fetched.map(submoduleLine).join(''),
  })
  if (exitCode !== 0) throw new Error(`git cannot add the submodules of ${sha}: ${stderr}`)
  return stdout.toString().trim()
}

const filesOf = (sizes: readonly TreeSize[]): number => sizes.reduce((sum, { files }) => sum + files, 0)
const bytesOf = (sizes: readonly TreeSize[]): number => sizes.reduce((sum, { bytes }) => sum + bytes, 0)

const refusal = (path: string, sentence: string): SourceError =>
  new SourceError('submodule_refused', `Submodule ${path}: ${sentence}`)
