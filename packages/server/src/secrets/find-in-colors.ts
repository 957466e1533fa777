// Finds a form that a program colored in parts, as `grep --color` does. Readers who remove the colors would put the secret together again.
import { childOf, type EncodingTrie, formLength } from './encoding-trie.ts'
import type { MatchInput, MatchStart, SecretMatch } from './secret-match.ts'

/** Follows the trie from the start of a control sequence on, as if the control sequences were not there. */
export function findInColors(trie: EncodingTrie, { bytes }: MatchInput, start: MatchStart): SecretMatch | undefined {
  const { at, from } = start
  let length = from - at
  if (length === 0) return undefined
  let { node, hidden } = start
  let end = -1
  let next = from
  let sequences = 0
  while (next < bytes.length && next - from <= mostBytes) {
    const byte = bytes[next] ?? 0
    if (byte === escapeByte && sequences < mostSequences) {
      const sequenceEnd = endOfSequence(bytes, next)
      if (sequenceEnd === 'open') return { at, end, isOpen: true }
      if (sequenceEnd !== undefined) {
        sequences++
        next = sequenceEnd
        continue
      }
    }
    sequences = 0
    if (node >= 0) node = childOf(trie, node, byte)
    if (node >= 0) hidden = Math.max(hidden, formLength(trie.nodes, node))
    else if (length >= hidden) return { at, end, isOpen: false }
    length++
    next++
    if (length <= hidden) end = next
  }
  return { at, end, isOpen: next === bytes.length }
}

export const escapeByte = 0x1b
/** Between two characters. grep(1) prints two. */
const mostSequences = 4
const mostParameterBytes = 20
/** Bounds what a stream holds back, and the time that output of nothing but colors takes. */
const mostBytes = 1024

/** Where the control sequence that starts at `at` ends (ECMA-48): colors, and the short ones that choose a character set. */
function endOfSequence(bytes: Uint8Array, at: number): number | 'open' | undefined {
  const isLong = bytes[at + 1] === openingBracket
  let next = at + (isLong ? 2 : 1)
  while (next - at <= mostParameterBytes && isParameter(bytes[next], isLong)) next++
  if (next >= bytes.length) return 'open'
  return isFinal(bytes[next], isLong) ? next + 1 : undefined
}

const openingBracket = 0x5b

const isParameter = (byte: number | undefined, isLong: boolean): boolean =>
  byte !== undefined && byte >= 0x20 && byte <= (isLong ? 0x3f : 0x2f)

const isFinal = (byte: number | undefined, isLong: boolean): boolean =>
  byte !== undefined && byte >= (isLong ? 0x40 : 0x30) && byte <= 0x7e
