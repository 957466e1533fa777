// Runs git in a user's own repository, as the user would: with the user's settings and filters, but without hooks.
import { CommandError } from '../command-error.ts'
import { runProcess } from '../process.ts'
import { plainText } from '../terminal/sanitize.ts'

export type GitOptions = {
  readonly folder: string
  readonly signal: AbortSignal
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** Receives the output in place of the result. */
  readonly onOutput?: (piece: Buffer) => void | Promise<void>
}

/** Its output. Throws with the first line that git printed about its failure. */
export async function runGit(words: readonly [string, ...string[]], options: GitOptions): Promise<Buffer> {
  const { code, output, errors } = await tryGit(words, options)
  if (code === 0) return output
  throw new CommandError(`git ${words[0]} failed: ${plainText(reasonOf(errors)) || `it ended with ${code}`}`, {
    code: 'git_failed',
  })
}

export async function tryGit(
  words: readonly [string, ...string[]],
  { onOutput, signal, ...options }: GitOptions,
): Promise<{ readonly code: number; readonly output: Buffer; readonly errors: string }> {
  const pieces: Buffer[] = []
  let errors = ''
  const code = await runProcess(['git', '--no-optional-locks', '--literal-pathspecs', ...SETTINGS, ...words], {
    ...options,
    signal,
    onOutput: onOutput ?? ((piece) => void pieces.push(piece)),
    onErrors: (piece) => {
      if (errors.length < MOST_ERROR_CHARACTERS) errors += piece.toString()
    },
  })
  signal.throwIfAborted()
  return { code, output: Buffer.concat(pieces), errors }
}

const reasonOf = (errors: string): string =>
  errors.split('\n').find((line) => /^(error|fatal):/.test(line)) ?? errors.trim().split('\n').at(-1) ?? ''

const MOST_ERROR_CHARACTERS = 64 * 1024

/** Nothing may write into the repository: no shared part of an index, no clean-up. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
  'pack.packSizeLimit=0',
  'i18n.commitEncoding=UTF-8',
].flatMap((setting) => ['-c', setting])
