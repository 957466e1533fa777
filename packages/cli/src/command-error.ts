// An error that the user can fix: one sentence, advice, and the exit code.
import { EXIT, type ExitCode } from './exit-code.ts'

type ErrorDetails = {
  /** A stable code for scripts. */
  readonly code: string
  readonly exitCode?: ExitCode
  /** Lines after the sentence: what to do, or known names. */
  readonly advice?: readonly string[]
  /** More fields for `--json`. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: string
  readonly exitCode: ExitCode
  readonly advice: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>

  constructor(message: string, { code, exitCode = EXIT.error, advice = [], fields = {} }: ErrorDetails) {
    super(message)
    this.code = code
    this.exitCode = exitCode
    this.advice = advice
    this.fields = fields
  }
}

/** By name: a part of the program that is bundled on its own has a class of its own. */
export const isCommandError = (error: unknown): error is CommandError =>
  error instanceof Error && error.name === 'CommandError'

export const UsageError = (message: string, ...advice: string[]): CommandError =>
  new CommandError(message, { code: 'usage', exitCode: EXIT.usage, advice })

export const NotSignedIn = (message: string, ...advice: string[]): CommandError =>
  new CommandError(message, { code: 'not_signed_in', exitCode: EXIT.signIn, advice })

export const Interrupted = (message: string, ...advice: string[]): CommandError =>
  new CommandError(message, { code: 'interrupted', exitCode: EXIT.interrupted, advice })
