// Hides secrets in lines. Lines are masked together, so that a value of several lines is found as well.
import type { OutputLine } from '@shipway/api/live'
import type { Mask, MaskedPiece } from '../../secrets/mask.ts'
import type { RawLine } from './line-reader.ts'

export function maskLines(mask: Mask, lines: readonly RawLine[]): readonly OutputLine[] {
  if (lines.length === 0) return []
  const texts = Buffer.concat(lines.flatMap(({ text }) => [text, NEWLINE]))
  const stream = mask.stream()
  const pieces = [...stream.write(texts), ...stream.end()]
  const masked = pieces.some(({ isHidden }) => isHidden) ? hideIn(texts, pieces) : texts
  let start = 0
  return lines.map(({ time, service }) => {
    const end = masked.indexOf(NEWLINE, start)
    const text = masked.toString('utf8', start, end)
    start = end + 1
    return { service, time, text }
  })
}

const NEWLINE = Buffer.from('\n')

/** A hidden piece may contain the ends of lines, which stay. */
function hideIn(texts: Buffer, pieces: readonly MaskedPiece[]): Buffer {
  let at = 0
  const parts = pieces.map(({ bytes, readBytes, isHidden }) => {
    const original = texts.subarray(at, at + readBytes)
    at += readBytes
    if (!isHidden) return bytes
    const ends = original.filter((byte) => byte === NEWLINE[0]).length
    const isLastEnd = original.at(-1) === NEWLINE[0]
    const hidden = Array.from({ length: ends + (isLastEnd ? 0 : 1) }, () => bytes)
    return Buffer.concat(hidden.flatMap((one, index) => (index < ends ? [one, NEWLINE] : [one])))
  })
  return Buffer.concat(parts)
}
