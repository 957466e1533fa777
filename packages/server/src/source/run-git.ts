/**
 * Runs git against a user's repository and turns its messages into a fault with a sentence. git and ssh distinguish causes only by words,
 * so the words are matched, only here.
 */
import type { Command } from '../commands/command.ts'
import { brokenExitCode, busyExitCode } from '../commands/mirror.ts'
import { CommandStopped, type Finished, TooMuchOutput } from '../remote/host.ts'
import type { Connection } from './connection.ts'
import { type GitProcessOptions, runGitProcess } from './git-process.ts'
import { SourceError, type SourceFault } from './source-error.ts'

export type GitIo = {
  readonly signal?: AbortSignal
  /** Receives git's progress messages. */
  readonly onOutput?: (bytes: Buffer) => void
}

export async function runGit(command: Command, connection: Connection, io: GitIo = {}): Promise<Finished> {
  const { repository, environment, folder } = connection
  const finished = await runGitProcess(command, { environment, cwd: folder, timeoutMs, ...processIo(io) }).catch(
    (error) => {
      if (error instanceof TooMuchOutput)
        throw new SourceError('too_large', tooMuch(repository.address), { cause: error })
      if (!(error instanceof CommandStopped) || error.reason === 'aborted') throw error
      throw new SourceError('timed_out', tooSlow(repository.address), { cause: error })
    },
  )
  if (finished.exitCode === 0) return finished
  if (finished.exitCode === brokenExitCode) throw new Error(`The mirror is broken: ${finished.stderr}`)
  const { address, publicKey, tokens } = repository
  const failed = { exitCode: finished.exitCode, address, publicKey, hasToken: tokens !== undefined }
  throw faultIn(endsOf(finished.stderr), failed)
}

export function processIo({ signal, onOutput }: GitIo): Pick<GitProcessOptions, 'signal' | 'onErrorOutput'> {
  return { ...(signal && { signal }), ...(onOutput && { onErrorOutput: onOutput }) }
}

const timeoutMs = 10 * 60_000

const tooSlow = (address: string): string =>
  `${address} was not read within ten minutes. Try again; if it stays so, make the repository smaller`

const tooMuch = (address: string): string =>
  `The host of ${address} says more about it than the platform reads. Remove branches and tags that are not needed`

type FailedGit = {
  readonly exitCode: number
  readonly address: string
  readonly publicKey: string
  /** It signed in with a token of the project's connection, and not with the key. */
  readonly hasToken: boolean
}

function faultIn(text: string, failed: FailedGit): SourceError {
  if (failed.exitCode === busyExitCode) return new SourceError('timed_out', tooSlow(failed.address))
  const known = faults.find(({ words }) => words.test(text))
  if (known)
    return new SourceError(known.code, known.sentence(failed, informativeLine(text)), { cause: new Error(text) })
  const sentence = `git could not read ${failed.address}: ${informativeLine(text) || `it ended with ${failed.exitCode}`}`
  return new SourceError('failed', sentence, { cause: new Error(text) })
}

/** The host controls how much git prints. The cause is at the start or the end. */
function endsOf(bytes: Buffer): string {
  if (bytes.length <= 2 * END_BYTES) return bytes.toString()
  return `${bytes.subarray(0, END_BYTES)}\n${bytes.subarray(-END_BYTES)}`
}

const END_BYTES = 8 * 1024

type Fault = {
  readonly code: SourceFault
  readonly words: RegExp
  readonly sentence: (failed: FailedGit, line: string) => string
}

const fixToken = 'Add the repository to the App at the git host, under Repository access, and deploy again'

/** The first match is the cause: later ones in the list are often consequences of earlier ones. */
const faults: readonly Fault[] = [
  {
    code: 'host_key_changed',
    words: /IDENTIFICATION HAS CHANGED|Host key verification failed|no matching host key type/i,
    sentence: ({ address }) =>
      `The host of ${address} shows another host key than before. If its operators changed the key, ` +
      'save the address of the repository again in the settings of the project; otherwise another machine may be intercepting the connection',
  },
  {
    code: 'key_refused',
    words: /Permission denied \(|Too many authentication failures/,
    sentence: ({ address, publicKey }) =>
      `The host of ${address} refuses the key of this project. Add this key to the repository, read-only: ${publicKey}`,
  },
  {
    code: 'key_refused',
    words: /could not read Username|terminal prompts disabled|Authentication failed|returned error: 40[13]/,
    sentence: ({ address, publicKey, hasToken }) =>
      hasToken
        ? `${address} cannot be read with the connection of the project: the git host refuses its token. ${fixToken}`
        : `${address} cannot be read without signing in. Use its ssh address (git@host:path) and add this key to the ` +
          `repository, read-only: ${publicKey}`,
  },
  {
    code: 'failed',
    words: /returned error: 30[1278]|unable to update url base from redirection/,
    sentence: ({ address }) =>
      `${address} leads to another address, which is not followed. Give that one; often only .git is missing at the end`,
  },
  {
    code: 'unreachable',
    words:
      /Could not resolve host|Failed to connect|Connection (refused|timed out|reset|closed)|Operation timed out|No route to host|Network is unreachable|banner exchange|not responding/,
    sentence: ({ address }, line) =>
      `The host of ${address} cannot be reached (${line}). Check the address, and that the platform may connect to it`,
  },
  {
    code: 'commit_not_found',
    words: /not our ref/,
    sentence: ({ address }) => `The commit does not exist in ${address}`,
  },
  {
    code: 'commit_not_offered',
    words: /unadvertised object/,
    sentence: ({ address }) => `The host of ${address} hands out branches only`,
  },
  {
    code: 'branch_not_found',
    words: /couldn't find remote ref/,
    sentence: ({ address }) => `The branch does not exist in ${address}`,
  },
  {
    code: 'too_large',
    words: /signal 25|File too large|File size limit|Out of memory/i,
    sentence: ({ address }) => `${address} is larger than the platform takes. Remove large files from the repository`,
  },
  {
    code: 'content_refused',
    words: /fsck error|error: object [0-9a-f]+: /,
    sentence: ({ address }, line) => `${address} holds something that git refuses as unsafe (${line})`,
  },
  {
    code: 'repository_not_found',
    words:
      /not appear to be a git repository|repository .{0,500}not found|returned error: 404|does not exist|not be found/i,
    sentence: ({ address, publicKey, hasToken }) =>
      hasToken
        ? `There is no repository at ${address} that the connection of the project may read. ${fixToken}`
        : `There is no repository at ${address} that this project may read. Check the address, and that it has this key: ${publicKey}`,
  },
]

/** The most informative line: the last error that is not general advice. Progress lines end in carriage returns. */
export function informativeLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/\p{C}/gu, '').trim())
  const telling = lines.filter((line) => /^(ssh: |error: |fatal: |remote: error)/i.test(line) && !advice.test(line))
  return (telling[0] ?? lines.findLast((line) => line !== '') ?? '').slice(0, 300)
}

const advice = /Could not read from remote repository|early EOF|unexpected disconnect/
