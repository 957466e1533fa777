// Runs git on a mirror alone: these commands open no connection.
import type { Command } from '../commands/command.ts'
import { alone } from '../commands/git.ts'
import type { Finished } from '../remote/host.ts'
import { runProcess } from '../remote/process.ts'
import { gitEnvironment } from './git-environment.ts'

/** For questions: whoever asks reads the exit code. */
export const askMirror = (command: Command): Promise<Finished> =>
  runProcess(command, { environment: gitEnvironment([]), timeoutMs })

export async function changeMirror(mirror: string, command: Command, input: string): Promise<void> {
  const options = { environment: gitEnvironment([]), timeoutMs, input }
  const { exitCode, stdout, stderr } = await runProcess(alone(mirror, command), options)
  if (exitCode !== 0) throw new Error(`git ended with ${exitCode} in ${mirror}: ${stdout}${stderr}`)
}

const timeoutMs = 10 * 60_000
