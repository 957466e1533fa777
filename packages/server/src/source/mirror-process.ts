// Runs git on a mirror without opening a connection.
import type { Command } from '../commands/command.ts'
import type { Finished } from '../remote/host.ts'
import { gitEnvironment } from './git-environment.ts'
import { type GitProcessOptions, runGitAlone } from './git-process.ts'

type Asking = Pick<GitProcessOptions, 'timeoutMs' | 'onOutput'>

/** For queries: the caller reads the exit code. */
export const askMirror = (command: Command, options: Asking = {}): Promise<Finished> =>
  runGitAlone(command, { environment: gitEnvironment([]), timeoutMs, ...options })

const timeoutMs = 10 * 60_000
