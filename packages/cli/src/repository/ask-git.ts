// Asks git about a working tree, in such a way that nothing of the repository is run and nothing is fetched.
import { CommandError } from '../command-error.ts'
import { runProcess } from '../process.ts'

type Asking = { readonly folder: string; readonly signal: AbortSignal }

/** What it prints; undefined where it has no answer: git is not installed, or the folder is in no repository of this user's. */
export async function askGit(
  words: readonly [string, ...string[]],
  { folder, signal }: Asking,
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  const tooMuch = new AbortController()
  const onOutput = (piece: Buffer): void => {
    bytes += piece.length
    if (bytes > MOST_BYTES) tooMuch.abort()
    else pieces.push(piece)
  }
  const code = await runProcess(['git', ...HARMLESS, ...words], {
    folder,
    onOutput,
    onErrors: () => undefined,
    signal: AbortSignal.any([signal, tooMuch.signal]),
  }).catch(ifMissing)
  signal.throwIfAborted()
  if (tooMuch.signal.aborted) throw TooManyFiles(folder)
  return code === 0 ? Buffer.concat(pieces) : undefined
}

/** A million names of the usual length. */
const MOST_BYTES = 64 * 1024 * 1024

export const TooManyFiles = (folder: string): CommandError =>
  new CommandError(`${folder} holds more files than a repository has`, {
    code: 'too_many_files',
    advice: ['Name the folder of the repository: shipway check <folder>'],
  })

/** The settings of a repository could name programs: to watch files, to run as hooks, to fetch what is missing. */
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
