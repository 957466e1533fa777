// What a cause looks at of a step that failed, and how it looks. The text is masked and safe to show before it comes here, but whoever
// wrote the application has chosen it: of its words a hint repeats names alone, never a sentence and never an address of a page.
import type { Step } from '../task.ts'

export type Failure = Pick<Step, 'phase' | 'name' | 'kind' | 'exitCode' | 'message'> & {
  /** The last lines of what the step printed. */
  readonly lines: readonly string[]
}

/** One way to fail: gives the sentence that says what to do, or undefined where this is not the way it failed. */
export type Cause = (failure: Failure) => string | undefined

/** The newest line that fits; what the platform says itself of the failure comes first. */
export function findWords({ message, lines }: Failure, words: RegExp): RegExpExecArray | undefined {
  const said = [...(message?.split('\n') ?? []), ...lines.toReversed()].map(toRead)
  for (const line of said) {
    const found = words.exec(line)
    if (found) return found
  }
  return undefined
}

/** A reason begins its line. */
const MOST_CHARACTERS = 1_000

/** Builds print the service, the number of the instruction and the time before each line. */
const toRead = (line: string): string =>
  line.slice(0, MOST_CHARACTERS).replace(/^\S{1,100} \| (?:#\d{1,6} )?(?:\d{1,9}\.\d{1,6} )?/, '')

/** A hint for whatever has these words in its output, in every step or in those of some phases. */
export function whereSaid(words: RegExp, hint: string, phases?: readonly string[]): Cause {
  return (failure) =>
    (phases === undefined || phases.includes(failure.phase)) && findWords(failure, words) ? hint : undefined
}

/** A name found in the output, safe to repeat; undefined if it does not look like one. */
export function nameIn(text: string | undefined): string | undefined {
  return text !== undefined && NAME.test(text) && !text.includes('//') ? text : undefined
}

const NAME = /^[\w@./:*-]{1,120}$/
