// Lines around the error in a step's output.
export type Excerpt = {
  readonly lines: readonly string[]
  /** Number of the first line in the step's output, from 1. */
  readonly first: number
  /** Line with the error, counted the same way; undefined if none matches. */
  readonly errorLine: number | undefined
}

const AROUND = 2
const WITHOUT = 6
const ERROR =
  /error|fatal|panic|exception|fail(ed|ure)|not (set|found|defined|permitted)|denied|refused|cannot|could not|unable to/i
/** Stack frames and lines that report a failure without its cause. */
const UNHELPFUL = /^\s+at |^\s*(npm (err!|error)\s*$|0 errors?)|exit(ed)? (code|status)/i

export function excerptOf(text: string, firstLine: number): Excerpt {
  const lines = text.replace(/\n$/, '').split('\n')
  const at = findErrorLine(lines)
  if (at === undefined) {
    const from = Math.max(0, lines.length - WITHOUT)
    return { lines: lines.slice(from), first: firstLine + from, errorLine: undefined }
  }
  const from = Math.max(0, at - AROUND)
  return { lines: lines.slice(from, at + AROUND + 1), first: firstLine + from, errorLine: firstLine + at }
}

/** First of the last group of error lines: the following ones are usually its consequence. */
function findErrorLine(lines: readonly string[]): number | undefined {
  const isError = (line: string | undefined): boolean => line !== undefined && ERROR.test(line) && !UNHELPFUL.test(line)
  let at = lines.findLastIndex(isError)
  if (at === -1) return undefined
  while (at > 0 && isError(lines[at - 1])) at -= 1
  return at
}
