// Sentences about words of the command line that are wrong, with the nearest that is right.
import { type CommandError, UsageFault } from './command-error.ts'
import { nearest } from './nearest.ts'
import { plainText } from './terminal/neutralize.ts'

/** `path` are the words of the command that the sentence is about. */
export const WordFault = (sentence: string, path: readonly string[]): CommandError =>
  UsageFault(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`, `See ${['shipway', ...path].join(' ')} --help`)

type Unknown = { readonly kind: string; readonly given: string; readonly known: readonly string[] }

export function UnknownWord({ kind, given, known }: Unknown, path: readonly string[]): CommandError {
  const near = nearest(given, known)
  return WordFault(`Unknown ${kind} ${plainText(given)}${near === undefined ? '' : `. Did you mean ${near}?`}`, path)
}
