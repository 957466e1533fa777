// Runs git on a mirror alone: these commands open no connection.
import type { Command } from '../commands/command.ts'
import type { Finished } from '../remote/host.ts'
import { gitEnvironment } from './git-environment.ts'
import { runGitAlone } from './git-process.ts'

/** For questions: whoever asks reads the exit code. */
export const askMirror = (command: Command): Promise<Finished> =>
  runGitAlone(command, { environment: gitEnvironment([]), timeoutMs })

const timeoutMs = 10 * 60_000
