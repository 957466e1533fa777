// What the causes know about a failed step, and how they search it. The text is already masked and safe to show, but the author of
// the application chose it: a hint repeats only names from it, never sentences or links.
import type { Step } from '../task.ts'

export type Failure = Pick<Step, 'phase' | 'name' | 'kind' | 'exitCode' | 'message'> & {
  /** The last lines of what the step printed. */
  readonly lines: readonly string[]
}

/** One possible cause: returns the sentence that says what to do, or undefined if this is not the cause. */
export type Cause = (failure: Failure) => string | undefined

/** The newest line that fits; what the platform says itself of the failure comes first. */
export function findWords({ message, lines }: Failure, words: RegExp): RegExpExecArray | undefined {
  const texts = [...(message?.split('\n') ?? []), ...lines.toReversed()].map(toRead)
  for (const line of texts) {
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
