// Runs a command on a host and gives what it printed. Where the command fails, what is thrown says why.
import type { Command } from '../commands/command.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import type { Host, RunOptions } from './host.ts'
import { lastLine } from './last-line.ts'

export type Question = RunOptions & { readonly command: Command }

export type Failure = { readonly exitCode: number; readonly stderr: string }

/** `failure` is a sentence, which gets the last line of standard error as its reason; or the fault itself, where that is another. */
export async function ask(
  host: Host,
  question: Command | Question,
  failure: string | ((failure: Failure) => Error),
): Promise<string> {
  const { command, ...options } = 'command' in question ? question : { command: question }
  const { exitCode, stdout, stderr } = await host.run(command, options)
  if (exitCode === 0) return stdout.toString()
  if (typeof failure === 'string') throw CheckFailed(`${failure}: ${lastLine(stderr)}`)
  throw failure({ exitCode, stderr: stderr.toString() })
}
