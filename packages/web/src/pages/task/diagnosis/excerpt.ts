// The few lines around the one that tells why a step failed.
export type Excerpt = {
  readonly lines: readonly string[]
  /** Counted from 1 in the output of the step. */
  readonly first: number
  /** The one that tells it, counted in the same way; undefined where none looks like it. */
  readonly errorLine: number | undefined
}

const AROUND = 2
const WITHOUT = 6
const ERROR =
  /error|fatal|panic|exception|fail(ed|ure)|not (set|found|defined|permitted)|denied|refused|cannot|could not|unable to/i
/** Frames of a stack, and what says that there was an error without saying which. */
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

/** Of the last lines that tell of an error the first one: what follows it is most often its consequence. */
function findErrorLine(lines: readonly string[]): number | undefined {
  const tells = (line: string | undefined): boolean => line !== undefined && ERROR.test(line) && !UNHELPFUL.test(line)
  let at = lines.findLastIndex(tells)
  if (at === -1) return undefined
  while (at > 0 && tells(lines[at - 1])) at -= 1
  return at
}
