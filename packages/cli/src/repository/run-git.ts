// Runs git on an untrusted working tree: without running anything of the repository, without fetching, and with a time limit.
import { CommandError } from '../command-error.ts'
import { runProcess } from '../process.ts'
import { plainText } from '../terminal/sanitize.ts'
import { findSpecialFile } from './find-special-file.ts'

type GitOptions = { readonly folder: string; readonly signal: AbortSignal; readonly watchdog?: WatchdogLimits }

/** Its output; undefined if it fails: git is not installed, or the folder is not in a repository of this user. */
export async function runGit(
  words: readonly [string, ...string[]],
  { folder, signal, watchdog = WATCHDOG }: GitOptions,
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  const stop = new AbortController()
  const onOutput = (piece: Buffer): void => {
    bytes += piece.length
    if (bytes > MOST_BYTES) stop.abort(TooManyFiles(folder))
    else pieces.push(piece)
  }
  const endWatch = startWatchdog(stop, folder, watchdog)
  try {
    const code = await runProcess(['git', ...HARMLESS, ...words], {
      folder,
      onOutput,
      onErrors: () => undefined,
      signal: AbortSignal.any([signal, stop.signal]),
    }).catch(ifMissing)
    signal.throwIfAborted()
    stop.signal.throwIfAborted()
    return code === 0 ? Buffer.concat(pieces) : undefined
  } finally {
    endWatch()
  }
}

/** `inspectMs`: when to find out what git waits for. `mostMs`: when to give up. */
type WatchdogLimits = { readonly inspectMs: number; readonly mostMs: number }

/** Longer than git needs for hundreds of thousands of files. */
const WATCHDOG: WatchdogLimits = { inspectMs: 2_000, mostMs: 60_000 }

/** Git opens some files of a repository itself, and would block on a named pipe. */
function startWatchdog(stop: AbortController, folder: string, { inspectMs, mostMs }: WatchdogLimits): () => void {
  const over = new AbortController()
  const inspection = setTimeout(() => {
    findSpecialFile({ folder, signal: over.signal }).then(
      (file) => file !== undefined && stop.abort(NoPlainFile(file)),
      (error: unknown) => stop.abort(error),
    )
  }, inspectMs)
  const last = setTimeout(() => stop.abort(GitIsSilent(folder, mostMs)), mostMs)
  return () => {
    over.abort()
    clearTimeout(inspection)
    clearTimeout(last)
  }
}

const NoPlainFile = (file: string): CommandError =>
  new CommandError(`${plainText(file)} is not a plain file, and git waits for it`, {
    code: 'not_a_file',
    advice: ['Remove it, or put a file in its place'],
  })

const GitIsSilent = (folder: string, ms: number): CommandError =>
  new CommandError(`git has not answered within ${ms / 1000} seconds about ${plainText(folder)}`, {
    code: 'git_silent',
    advice: ['Find out what it waits for: git -C FOLDER status'],
  })

/** About a million file names. */
const MOST_BYTES = 64 * 1024 * 1024

export const TooManyFiles = (folder: string): CommandError =>
  new CommandError(`${folder} contains too many files for a repository`, {
    code: 'too_many_files',
    advice: ['Name the folder of the repository: shipway check <folder>'],
  })

/** A repository's settings could name programs: file monitors, hooks, fetch helpers. */
const HARMLESS = [
  '--no-optional-locks',
  '--literal-pathspecs',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'protocol.allow=never'].flatMap((setting) => ['-c', setting]),
  ...['ssh', 'https', 'http', 'git', 'file', 'ext'].flatMap((name) => ['-c', `protocol.${name}.allow=never`]),
]

function ifMissing(error: unknown): undefined {
  if (error instanceof CommandError && error.code === 'git_missing') return undefined
  throw error
}
