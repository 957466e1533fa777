// Runs a command on a host and returns its output. Throws an error with the reason if the command fails.
import type { Command } from '../commands/command.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import type { Host, RunOptions } from './host.ts'
import { lastLine } from './last-line.ts'

export type Question = RunOptions & { readonly command: Command }

export type Failure = { readonly exitCode: number; readonly stderr: string }

/** `failure` is a sentence, to which the last line of standard error is added as the reason, or a function that makes the error. */
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
