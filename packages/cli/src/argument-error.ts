// Errors about arguments of the command line, with the nearest known one.
import { type CommandError, UsageError } from './command-error.ts'
import { nearest } from './nearest.ts'
import { plainText } from './terminal/sanitize.ts'

/** `path` is the name of the command. */
export const ArgumentError = (sentence: string, path: readonly string[]): CommandError =>
  UsageError(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`, `See ${['shipway', ...path].join(' ')} --help`)

type Unknown = { readonly kind: string; readonly given: string; readonly known: readonly string[] }

export function UnknownArgument({ kind, given, known }: Unknown, path: readonly string[]): CommandError {
  const near = nearest(given, known)
  return ArgumentError(
    `Unknown ${kind} ${plainText(given)}${near === undefined ? '' : `. Did you mean ${near}?`}`,
    path,
  )
}
