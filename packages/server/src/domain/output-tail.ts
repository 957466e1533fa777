// The last lines of an output, as text to show. Lines are counted in the whole output, which may be far larger than what is shown.
import { safeText } from './safe-text.ts'

/** How much of the end is looked at, and how many lines of that are shown. */
export const TAIL_BYTES = 64 * 1024
export const TAIL_LINES = 200

export type OutputTail = {
  readonly text: string
  readonly firstLine: number
  readonly lastLine: number
  readonly totalLines: number
  readonly isTruncated: boolean
}

type Whole = {
  readonly totalLines: number
  /** Whether the bytes are the whole output, and not just its end. */
  readonly isWhole: boolean
}

/** Undefined where nothing was printed. */
export function outputTail(bytes: Uint8Array, { totalLines, isWhole }: Whole): OutputTail | undefined {
  if (bytes.length === 0) return undefined
  const text = decoder.decode(isWhole ? bytes : bytes.subarray(startOfLine(bytes)))
  const end = text.endsWith('\n') ? '\n' : ''
  const there = text.slice(0, text.length - end.length).split('\n')
  const shown = there.slice(-TAIL_LINES)
  return {
    text: shown.map(safeText).join('\n') + end,
    firstLine: totalLines - shown.length + 1,
    lastLine: totalLines,
    totalLines,
    isTruncated: !isWhole || shown.length < there.length,
  }
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
