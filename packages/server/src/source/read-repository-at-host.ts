// Reads a repository by the API of its git host, before a project has a key for it: its branches, and what the rules say about its files.
//
// The rules say which files they need. Their authors control how long that takes, so the rules run in a thread, again with each further
// set of files, until nothing is missing or a limit is reached.
import type { ConnectionType } from '@shipway/api/connections'
import { Branch } from '@shipway/api/values/branch'
import type { RepositoryReading } from '../domain/repository/repository-reading.ts'
import { runInThread, ThreadStopped } from '../threads/run-in-thread.ts'
import type { CheckedFiles, KnownFiles } from './files/check-files-thread.ts'
import type { HostCall } from './git-host/api-dialect.ts'
import { HostRefused } from './git-host/call-host.ts'
import type { TreeEntry } from './git-host/reading/reading-dialect.ts'
import { READING } from './git-host/reading/reading-dialects.ts'

export type HostReader = {
  readonly type: ConnectionType
  ask(call: HostCall): Promise<unknown>
}

type WantedRepository = { readonly name: string; readonly branch: string }

const MOST_PAGES = 30
const MOST_ENTRIES = 30_000
const MOST_FILES = 60
const MOST_ROUNDS = 8
const MOST_BYTES = 1024 * 1024
const AT_ONCE = 4

/** Rejects as `callHost` does. Undefined if the repository has no such branch. */
export async function readRepositoryAtHost(
  host: HostReader,
  { name, branch }: WantedRepository,
): Promise<RepositoryReading | undefined> {
  const dialect = READING[host.type]
  const sha = await ask(host, dialect.commit(name, branch), dialect.readCommit)
  if (sha === undefined || !/^[0-9a-f]{40,64}$/.test(sha)) return undefined
  const branches = (await ask(host, dialect.branches(name), dialect.readBranches)) ?? []
  const { entries, isWhole } = await readTree(host, name, sha)
  const checked = await check(host, { name, sha, entries })
  return {
    sha,
    branches: [...new Set([branch, ...branches.filter((one) => Branch.safeParse(one).success)])],
    isWhole,
    ...checked,
  }
}

/** Undefined where the git host has nothing. */
async function ask<Answer>(
  host: HostReader,
  call: HostCall,
  read: (answer: unknown) => Answer,
): Promise<Answer | undefined> {
  try {
    return read(await host.ask(call))
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404) return undefined
    throw error
  }
}

async function readTree(
  host: HostReader,
  name: string,
  sha: string,
): Promise<{ readonly entries: readonly TreeEntry[]; readonly isWhole: boolean }> {
  const dialect = READING[host.type]
  const all: TreeEntry[] = []
  let page: string | undefined
  for (let count = 0; count < MOST_PAGES && all.length < MOST_ENTRIES; count++) {
    const current = page
    const found = await ask(host, dialect.tree(name, sha, current), (answer) => dialect.readTree(answer, current))
    all.push(...(found?.entries ?? []))
    page = found?.next
    if (page === undefined) return { entries: all, isWhole: true }
  }
  return { entries: all.slice(0, MOST_ENTRIES), isWhole: false }
}

type FilesToCheck = { readonly name: string; readonly sha: string; readonly entries: readonly TreeEntry[] }

async function check(host: HostReader, { name, sha, entries }: FilesToCheck): Promise<Checked> {
  const dialect = READING[host.type]
  const known: Record<string, string | null> = {}
  const readFile = async (path: string): Promise<void> => {
    const text = await ask(host, dialect.file(name, sha, path), String)
    known[path] = text === undefined || Buffer.byteLength(text) > MOST_BYTES ? null : text
  }
  for (let round = 0; ; round++) {
    const isLast = round === MOST_ROUNDS || Object.keys(known).length >= MOST_FILES
    const checked = await checkInThread({ entries, files: known, isLast })
    if (checked === undefined) return TOO_LARGE
    if (checked.missing.length === 0 || isLast) return checked
    const missing = checked.missing.slice(0, MOST_FILES - Object.keys(known).length)
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      await Promise.all(missing.slice(at, at + AT_ONCE).map(readFile))
    }
  }
}

type Checked = Omit<CheckedFiles, 'missing'>

const checkInThread = (input: KnownFiles): Promise<CheckedFiles | undefined> =>
  runInThread<CheckedFiles>({ program, input }, limits).catch((error: unknown) => {
    if (error instanceof ThreadStopped) return undefined
    throw error
  })

const program = new URL('./files/check-files-thread.ts', import.meta.url)
const limits = { computeMs: 10_000, memoryMb: 192 }

const TOO_LARGE: Checked = {
  isPresent: false,
  content: '',
  recipe: 'docker',
  findings: [
    {
      kind: 'fault',
      file: '.service.yml',
      line: 1,
      column: 1,
      sentence: 'The files of the repository are too large to be checked here. Check them with shipway check',
    },
  ],
}
