// Runs git on a mirror without opening a connection.
import type { Command } from '../commands/command.ts'
import type { Finished } from '../remote/host.ts'
import { gitEnvironment } from './git-environment.ts'
import { type GitProcessOptions, runGitOffline } from './git-process.ts'

type QueryOptions = Pick<GitProcessOptions, 'timeoutMs' | 'onOutput' | 'input'>

/** For queries: the caller reads the exit code. */
export const queryMirror = (command: Command, options: QueryOptions = {}): Promise<Finished> =>
  runGitOffline(command, { environment: gitEnvironment([]), timeoutMs, ...options })

const timeoutMs = 10 * 60_000
