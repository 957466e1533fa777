// Turns an error into a message for people, a problem (RFC 9457) for scripts, and an exit code.
import type { ApiError } from '@shipway/api'
import { type CommandError, isCommandError } from './command-error.ts'
import type { GlobalFlags } from './context.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { isApiError, isNoAnswer, ownFailure } from './http/api-failure.ts'
import { safeJson } from './report.ts'
import { plainLines } from './terminal/sanitize.ts'
import type { Sink } from './terminal/sink.ts'

export type Failure = {
  readonly sentence: string
  readonly advice: readonly string[]
  readonly exitCode: ExitCode
  readonly problem: Readonly<Record<string, unknown>>
}

export function failureOf(thrown: unknown, isInterrupted: boolean): Failure {
  const error = thrown instanceof Error ? (ownFailure(thrown) ?? thrown) : thrown
  if (isCommandError(error)) return clientFailure(error, error)
  if (isInterrupted)
    return clientFailure({ message: 'Interrupted' }, { code: 'interrupted', exitCode: EXIT.interrupted })
  if (isApiError(error)) return platformFailure(error)
  if (isNoAnswer(error)) return clientFailure(error, { code: 'no_answer', exitCode: EXIT.error })
  const message = error instanceof Error ? error.message : String(error)
  return clientFailure(
    { message: `The client failed: ${message}` },
    { code: 'client_failed', exitCode: EXIT.error, advice: ['Show the stack trace with --debug'] },
  )
}

export function printFailure(
  { sentence, advice, problem }: Failure,
  { globals, err }: { readonly globals: GlobalFlags; readonly err: Sink },
): void {
  if (globals.json) {
    err.writeRaw(`${safeJson(problem)}\n`)
    return
  }
  err.print(sentence)
  if (advice.some((line) => line.startsWith(' '))) err.print('')
  for (const line of advice) err.print(line)
}

type FailureDetails = { readonly code: string; readonly exitCode: ExitCode } & Partial<
  Pick<CommandError, 'advice' | 'fields'>
>

function clientFailure(
  { message }: { readonly message: string },
  { code, exitCode, advice = [], fields }: FailureDetails,
): Failure {
  const sentence = plainLines(message)
  const lines = [sentence, ...advice.map((line) => line.trim())]
  // Lines have no full stop where they stand alone.
  const detail = lines
    .join('\n')
    .replaceAll(/(?<![.:!?,;])\n(?=\p{Lu})/gu, '. ')
    .replaceAll('\n', ' ')
  return { sentence, advice, exitCode, problem: { type: 'about:blank', title: sentence, code, detail, ...fields } }
}

function platformFailure(error: ApiError): Failure {
  const faults = (error.problem?.errors ?? []).map(({ pointer, detail }) =>
    pointer === '' ? detail : `${pointer.replace(/^\//, '')}: ${detail}`,
  )
  const [only, ...others] = faults
  // The platform's sentence for several faults repeats them all.
  const isList = others.length > 0
  const signIn = error.status === 401 ? ['Sign in: shipway login'] : []
  return {
    sentence: plainLines(isList ? `${faults.length} values were refused` : (only ?? error.detail)),
    advice: [...(isList ? faults.map((fault) => `  ${fault}`) : []), ...signIn],
    exitCode: exitCodeOf(error),
    problem: error.problem ?? {
      type: 'about:blank',
      title: 'Unexpected response',
      status: error.status,
      code: error.code,
      detail: error.detail,
    },
  }
}

function exitCodeOf({ status, code }: ApiError): ExitCode {
  if (status === 401 || code === 'insufficient_scope') return EXIT.signIn
  if (status === 404) return EXIT.notFound
  if (status === 409 || status === 412) return EXIT.conflict
  if (status === 422) return EXIT.usage
  return EXIT.error
}
