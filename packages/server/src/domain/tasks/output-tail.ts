// The last lines of an output, as text to show. Lines are counted in the whole output, which may be far larger than what is shown.
import { countBytes } from '@shipway/api/values/text'
import { safeText } from '@shipway/rules/safe-text'

/** How much of the end is looked at. A line of an output has up to 64 KiB: a few of that length still leave others beside them. */
export const TAIL_BYTES = 1024 * 1024

/** How much of that is shown. */
export const TAIL_LINES = 200
const MOST_SHOWN_BYTES = 64 * 1024
const MOST_LINE_CHARACTERS = 2_000

export type OutputTail = {
  readonly text: string
  readonly firstLine: number
  readonly lastLine: number
  readonly totalLines: number
  readonly isTruncated: boolean
}

type WholeOutput = {
  readonly totalLines: number
  /** Whether the bytes are the whole output, and not just its end. */
  readonly isWhole: boolean
}

/** Undefined if nothing was printed. */
export function outputTail(bytes: Uint8Array, { totalLines, isWhole }: WholeOutput): OutputTail | undefined {
  if (bytes.length === 0) return undefined
  const text = decoder.decode(isWhole ? bytes : bytes.subarray(startOfLine(bytes)))
  const end = text.endsWith('\n') ? '\n' : ''
  const there = text.slice(0, text.length - end.length).split('\n')
  const lines = there.slice(-TAIL_LINES).map(atTheEnd)
  const shown = lastWithin(MOST_SHOWN_BYTES, lines.map(shorten))
  return {
    text: shown.join('\n') + end,
    firstLine: totalLines - shown.length + 1,
    lastLine: totalLines,
    totalLines,
    isTruncated: !isWhole || shown.length < there.length || lines.some(isLong),
  }
}

/** What a terminal shows of a line in the end: each carriage return begins it anew. A line of nothing else is not read to its beginning. */
function atTheEnd(line: string): string {
  return (
    line
      .split('\r')
      .slice(-MOST_STATES)
      .map(safeText)
      .findLast((state) => state !== '') ?? ''
  )
}

const MOST_STATES = 100

const isLong = (line: string): boolean => line.length > MOST_LINE_CHARACTERS

/** Keeps the beginning and the end of a line that would leave no room for the others. */
function shorten(line: string): string {
  if (!isLong(line)) return line
  const half = MOST_LINE_CHARACTERS / 2
  const leftOut = line.length - 2 * half
  // The cut may split a character; half a character is not safe to show.
  const [first, last] = [safeText(line.slice(0, half)), safeText(line.slice(-half))]
  return `${first} [${leftOut} characters of this line left out] ${last}`
}

function lastWithin(mostBytes: number, lines: readonly string[]): readonly string[] {
  let left = mostBytes
  const tooFar = lines.findLastIndex((line) => {
    left -= countBytes(line) + 1
    return left < 0
  })
  return lines.slice(tooFar + 1)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const NEWLINE = 0x0a

/** Where the first whole line begins; in a line that is longer than all of this, where its first whole character does. */
function startOfLine(bytes: Uint8Array): number {
  const newline = bytes.indexOf(NEWLINE)
  if (newline !== -1 && newline < bytes.length - 1) return newline + 1
  const character = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return Math.max(0, character)
}
