/**
 * Working trees that users send as git packs. A pack is written to a file and checked outside of the mirror, then stored in the database.
 * Its deployment keeps it in the mirror as any other commit: nothing of a pack that stops half-way or is refused gets there, and the limits
 * of what is stored bound the mirror, too.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keptRefs } from '../commands/git.ts'
import * as git from '../commands/mirror.ts'
import { refsToRemove } from '../commands/server-copy.ts'
import { UPLOAD_LIMITS, type UploadLimits } from '../domain/upload-limits.ts'
import { CommandStopped } from '../remote/host.ts'
import { gitEnvironment } from './git-environment.ts'
import { runGitOffline } from './git-process.ts'
import { type Commit, readCommit } from './mirror.ts'
import { queryMirror } from './mirror-process.ts'
import { informativeLine } from './run-git.ts'
import { SourceError } from './source-error.ts'
import { undefinedIfMissing } from './undefined-if-missing.ts'

/** `base`: a commit of the repository whose files the pack leaves out. */
export type UploadedCommit = { readonly sha: string; readonly base: string | null }

/** Writes a pack to a file in `folder` while `use` works with it. Throws a SourceError if it is too large or too slow. */
export async function withPackFile<Result>(
  folder: string,
  pack: AsyncIterable<Uint8Array>,
  use: (file: string, bytes: number) => Promise<Result>,
  limits: UploadLimits = UPLOAD_LIMITS,
): Promise<Result> {
  const place = join(folder, randomBytes(8).toString('hex'))
  await mkdir(place, { recursive: true, mode: 0o700 })
  try {
    const file = join(place, 'pack')
    return await use(file, await writePack(file, pack, limits))
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Returns how many bytes it has. */
async function writePack(file: string, pack: AsyncIterable<Uint8Array>, limits: UploadLimits): Promise<number> {
  const written = await open(file, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const piece of inTime(pack, limits)) {
      bytes += piece.length
      if (bytes > limits.bytes) throw TooLarge(limits.bytes)
      await written.appendFile(piece)
    }
    return bytes
  } finally {
    await written.close()
  }
}

/** Throws if the next piece is late, or the whole takes too long. */
async function* inTime(
  pieces: AsyncIterable<Uint8Array>,
  { idleMs, receiveMs }: UploadLimits,
): AsyncGenerator<Uint8Array, void> {
  const iterator = pieces[Symbol.asyncIterator]()
  const end = performance.now() + receiveMs
  for (;;) {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(TooSlow()), Math.max(0, Math.min(idleMs, end - performance.now())))
    try {
      const { done, value } = await Promise.race([iterator.next(), late.promise])
      if (done) return
      yield value
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Removes files that a killed platform left. Later than any upload takes: other processes may share the folder. */
export async function sweepPackFiles(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(undefinedIfMissing)
  for (const name of names ?? []) {
    const place = join(folder, name)
    const found = await stat(place).catch(undefinedIfMissing)
    if (found && found.mtimeMs < now - LEFT_BEHIND_MS) await rm(place, { recursive: true, force: true })
  }
}

const LEFT_BEHIND_MS = 60 * 60_000

type Pack = { readonly pack: string; readonly limits?: UploadLimits }

/** Checks a pack. Nothing of it gets into the mirror. */
export const checkUploadIn = (mirror: string, uploaded: UploadedCommit, pack: Pack): Promise<Commit> =>
  checkAndRead(git.checkUpload, { mirror, ...uploaded, ...pack })

/** Checks a pack and keeps its commit in the mirror. The caller serializes changes of the mirror. */
export const keepUploadIn = (mirror: string, uploaded: UploadedCommit, pack: Pack): Promise<Commit> =>
  checkAndRead(git.keepUpload, { mirror, ...uploaded, ...pack })

async function checkAndRead(
  commandOf: typeof git.keepUpload,
  { limits = UPLOAD_LIMITS, ...upload }: UploadedCommit & Pack & { readonly mirror: string },
): Promise<Commit> {
  const command = commandOf({ ...upload, mostUnpackedBytes: limits.unpackedBytes })
  const { exitCode, stdout, stderr } = await runGitOffline(command, {
    environment: gitEnvironment([]),
    timeoutMs: limits.checkMs,
  }).catch((error: unknown) => {
    if (!(error instanceof CommandStopped) || error.reason === 'aborted') throw error
    throw new SourceError('content_refused', 'Its files take too long to unpack. Ignore large files, and send it again')
  })
  const commit = exitCode === 0 ? readCommit(stdout) : undefined
  if (commit) return commit
  if (exitCode === git.baseMissingExitCode)
    throw new SourceError('content_refused', 'The platform does not have the commit that it builds on. Send it again')
  if (exitCode === git.busyExitCode) throw new SourceError('timed_out', 'The repository is in use. Try again')
  if (exitCode === git.refusedExitCode) throw new SourceError('content_refused', refusalOf(stderr.toString()))
  throw new Error(`The mirror is broken: ${stderr}`)
}

const refusalOf = (text: string): string =>
  `git refuses what was sent: ${/^refused: (.*)$/m.exec(text)?.[1] ?? informativeLine(text)}`

/** The first of these commits that the mirror has from the repository itself. */
export async function findKept(mirror: string, commits: readonly string[]): Promise<string | undefined> {
  const { kept, sent } = await listRefs(mirror)
  return commits.find((sha) => kept.has(sha) && !sent.has(sha))
}

/** Those of the uploads that are still stored. */
export type ListStored = (sent: readonly string[]) => Promise<ReadonlySet<string>>

/** Removes the refs of uploads that are not stored any more. False if there were none. */
export async function forgetUploadsIn(mirror: string, listStored: ListStored): Promise<boolean> {
  const sent = [...(await listRefs(mirror)).sent]
  if (sent.length === 0) return false
  const stored = await listStored(sent)
  const refs = sent.filter((sha) => !stored.has(sha)).flatMap((sha) => [`${git.sentRefs}/${sha}`, `${keptRefs}/${sha}`])
  if (refs.length === 0) return false
  const { exitCode, stderr } = await queryMirror(git.removeRefs(mirror), { input: refsToRemove(refs) })
  if (exitCode !== 0) throw new Error(`Uploads in ${mirror} cannot be removed: ${stderr}`)
  return true
}

/** Frees the space of forgotten uploads. */
export async function collectGarbageIn(mirror: string): Promise<void> {
  const { exitCode, stderr } = await queryMirror(git.collectGarbage(mirror))
  if (exitCode !== 0) throw new Error(`Garbage in ${mirror} cannot be collected: ${stderr}`)
}

async function listRefs(mirror: string): Promise<{ readonly kept: Set<string>; readonly sent: Set<string> }> {
  const { exitCode, stdout } = await queryMirror(git.listKept(mirror))
  const lines = exitCode === 0 ? stdout.toString().split('\n') : []
  const below = (prefix: string) => lines.flatMap((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : []))
  return { kept: new Set(below(`${keptRefs}/`)), sent: new Set(below(`${git.sentRefs}/`)) }
}

const TooLarge = (bytes: number): SourceError =>
  new SourceError(
    'too_large',
    `An upload has at most ${bytes / 1024 ** 2} MiB. Ignore large files in .gitignore, or push the branch and deploy it`,
  )

const TooSlow = (): SourceError => new SourceError('timed_out', 'The upload did not arrive in time. Try again')
