// Finds a form that continues on the next line: base64(1), openssl and xxd print lines of 60 digits or more, and a secret inside what
// they print may cross the end of any line.
import { childOf, type EncodingTrie, formLength } from './encoding-trie.ts'
import { mostFormBytes } from './secret-encodings.ts'
import type { MatchInput, MatchStart, SecretMatch } from './secret-match.ts'

/** Follows the trie on the next lines, as if their digits came directly after those of the first line. */
export function findAcrossLines(trie: EncodingTrie, input: MatchInput, start: MatchStart): SecretMatch | undefined {
  const { bytes } = input
  const { at, from } = start
  let digits = from - at
  if (digits === 0 || !isNewline(bytes, from)) return undefined
  if (countDigitsBefore(input, from) < Math.max(leastLineDigits, digits)) return undefined
  let { node, hidden } = start
  let end = -1
  let next = from
  for (; next < bytes.length; next++) {
    const byte = bytes[next] ?? 0
    if (next - from > mostBytesAcross || !(isDigit(byte) || isLineEnd(byte))) break
    if (isLineEnd(byte)) continue
    if (node >= 0) node = childOf(trie, node, byte)
    if (node >= 0) hidden = Math.max(hidden, formLength(trie.nodes, node))
    else if (digits >= hidden) break
    digits++
    if (digits <= hidden) end = next + 1
  }
  return { at, end, isOpen: next === bytes.length }
}

/** A line with fewer digits was not printed by one of those programs. */
const leastLineDigits = 56
/** Bounds what a stream holds back where many empty lines follow. */
const mostBytesAcross = 4096 + mostFormBytes

/** How many digits come directly before a position. Counts at most as many as a form has, and those before the input. */
export function countDigitsBefore({ bytes, digitsBefore }: MatchInput, position: number): number {
  const least = Math.max(0, position - mostFormBytes)
  let first = position
  while (first > least && isDigit(bytes[first - 1])) first--
  return position - first + (first === 0 ? digitsBefore : 0)
}

const newline = 0x0a
const carriageReturn = 0x0d

export const isLineEnd = (byte: number | undefined): boolean => byte === newline || byte === carriageReturn

/** A carriage return at the end of the bytes may be the first half of a newline. */
const isNewline = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === newline || at + 1 === bytes.length || bytes[at + 1] === newline

const digitTable = new Uint8Array(256)
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_='))
  digitTable[digit] = 1

const isDigit = (byte: number | undefined): boolean => digitTable[byte ?? 0] === 1
