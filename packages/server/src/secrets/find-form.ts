/**
 * Finds the forms of secrets in bytes, also those that continue on the next line: base64(1), openssl and xxd print lines of 60 digits or
 * more, and a secret inside what they print may cross the end of any line.
 *
 * A filter on four bytes rules out most positions. At the others the trie is followed from its root, so a position costs at most a
 * few times the length of a form, whatever the secrets and the bytes are.
 */
import { branchOf, childOf, type EncodingTrie, formLength, isNextNode, mayStart } from './encoding-trie.ts'
import { mostFormBytes } from './secret-encodings.ts'

/** `end`: of the longest form that starts at `at`, -1 if none does. `isOpen`: with more bytes, a longer form may start there. */
export type FoundForm = { readonly at: number; readonly end: number; readonly isOpen: boolean }

/** `digitsBefore`: how many digits of base64 or hex come directly before the bytes. */
export type FormInput = { readonly bytes: Uint8Array; readonly digitsBefore: number }

/** The first position from `from` on where a form starts or may start. */
export function findForm(trie: EncodingTrie, input: FormInput, from: number): FoundForm | undefined {
  const { bytes } = input
  for (let at = nextCandidate(trie, bytes, from); at < bytes.length; at = nextCandidate(trie, bytes, at + 1)) {
    const found = findAt(trie, input, at)
    if (found) return found
  }
  return undefined
}

/** How many digits come directly before a position. Counts at most as many as a form has, and those before the input. */
export function countDigitsBefore({ bytes, digitsBefore }: FormInput, position: number): number {
  const least = Math.max(0, position - mostFormBytes)
  let first = position
  while (first > least && isDigit(bytes[first - 1])) first--
  return position - first + (first === 0 ? digitsBefore : 0)
}

/** The next position that the filter does not rule out. It cannot rule out the ends of lines and of the bytes. */
function nextCandidate({ starts }: EncodingTrie, bytes: Uint8Array, from: number): number {
  const last = bytes.length - 4
  if (from > last || isLineEnd(bytes[from + 1]) || isLineEnd(bytes[from + 2])) return from
  let four = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
  for (let at = from; at <= last; at++) {
    const byte = bytes[at + 3]
    four = (four << 8) | (byte ?? 0)
    if (mayStart(starts, four) || isLineEnd(byte)) return at
  }
  return last + 1
}

function findAt(trie: EncodingTrie, input: FormInput, at: number): FoundForm | undefined {
  const { bytes } = input
  const { nodes } = trie
  let node = 0
  let hidden = 0
  let across: FoundForm | undefined
  let next = at
  for (; next < bytes.length; next++) {
    const byte = bytes[next] ?? 0
    if (isLineEnd(byte)) across ??= findAcross(trie, input, { at, lineEnd: next, node, hidden })
    // Most edges lead to the next node; checked here because this loop takes most of the time in the worst case.
    node = isNextNode(nodes, node, byte) ? node + 1 : branchOf(trie, node, byte)
    if (node < 0) break
    const length = formLength(nodes, node)
    if (length > hidden) hidden = length
  }
  const end = Math.max(hidden === 0 ? -1 : at + hidden, across?.end ?? -1)
  const isOpen = next === bytes.length || end > bytes.length || across?.isOpen === true
  return end < 0 && !isOpen ? undefined : { at, end: Math.min(end, bytes.length), isOpen }
}

/** The digits from `at` to the end of the line lead to `node`. `hidden`: length of the longest form on the way. */
type Path = { readonly at: number; readonly lineEnd: number; readonly node: number; readonly hidden: number }

/** Follows the trie on the next lines, as if their digits came directly after those of the first line. */
function findAcross(trie: EncodingTrie, input: FormInput, path: Path): FoundForm | undefined {
  const { bytes } = input
  const { at, lineEnd } = path
  let digits = lineEnd - at
  if (digits === 0 || !isNewline(bytes, lineEnd)) return undefined
  if (countDigitsBefore(input, lineEnd) < Math.max(leastLineDigits, digits)) return undefined
  let { node, hidden } = path
  let end = -1
  let next = lineEnd
  for (; next < bytes.length; next++) {
    const byte = bytes[next] ?? 0
    if (next - lineEnd > mostBytesAcross || !(isDigit(byte) || isLineEnd(byte))) break
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

const newline = 0x0a
const carriageReturn = 0x0d

const isLineEnd = (byte: number | undefined): boolean => byte === newline || byte === carriageReturn

/** A carriage return at the end of the bytes may be the first half of a newline. */
const isNewline = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === newline || at + 1 === bytes.length || bytes[at + 1] === newline

const digitTable = new Uint8Array(256)
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_='))
  digitTable[digit] = 1

const isDigit = (byte: number | undefined): boolean => digitTable[byte ?? 0] === 1
