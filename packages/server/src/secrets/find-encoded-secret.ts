/**
 * Finds the forms of secrets in bytes, also those that continue on the next line, and those that a program colored in parts.
 *
 * A filter on four bytes rules out most positions. At the others the trie is followed from its root, so a position costs at most a
 * few times the length of a form, whatever the secrets and the bytes are.
 */
import { branchOf, type EncodingTrie, formLength, isNextNode, mayStart } from './encoding-trie.ts'
import { findAcrossLines, isLineEnd } from './find-across-lines.ts'
import { escapeByte, findInColors } from './find-in-colors.ts'
import type { MatchInput, SecretMatch } from './secret-match.ts'

/** The first position from `from` on where a form starts or may start. */
export function findEncodedSecret(trie: EncodingTrie, input: MatchInput, from: number): SecretMatch | undefined {
  const { bytes } = input
  for (let at = nextCandidate(trie, bytes, from); at < bytes.length; at = nextCandidate(trie, bytes, at + 1)) {
    const found = findAt(trie, input, at)
    if (found) return found
  }
  return undefined
}

/** The next position that the filter does not rule out. It cannot rule out the ends of lines and of the bytes, and where colors start. */
function nextCandidate({ starts }: EncodingTrie, bytes: Uint8Array, from: number): number {
  const last = bytes.length - 4
  if (from > last || isBreak(bytes[from + 1]) || isBreak(bytes[from + 2])) return from
  let four = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
  for (let at = from; at <= last; at++) {
    const byte = bytes[at + 3]
    four = (four << 8) | (byte ?? 0)
    if (mayStart(starts, four) || isBreak(byte)) return at
  }
  return last + 1
}

function findAt(trie: EncodingTrie, input: MatchInput, at: number): SecretMatch | undefined {
  const { bytes } = input
  const { nodes } = trie
  let node = 0
  let hidden = 0
  let across: SecretMatch | undefined
  let colored: SecretMatch | undefined
  let next = at
  for (; next < bytes.length; next++) {
    const byte = bytes[next] ?? 0
    if (isLineEnd(byte)) across ??= findAcrossLines(trie, input, { at, from: next, node, hidden })
    if (byte === escapeByte) colored ??= findInColors(trie, input, { at, from: next, node, hidden })
    // Most edges lead to the next node; checked here because this loop takes most of the time in the worst case.
    node = isNextNode(nodes, node, byte) ? node + 1 : branchOf(trie, node, byte)
    if (node < 0) break
    const length = formLength(nodes, node)
    if (length > hidden) hidden = length
  }
  const end = Math.max(hidden === 0 ? -1 : at + hidden, across?.end ?? -1, colored?.end ?? -1)
  const isOpen = next === bytes.length || end > bytes.length || across?.isOpen === true || colored?.isOpen === true
  return end < 0 && !isOpen ? undefined : { at, end: Math.min(end, bytes.length), isOpen }
}

const isBreak = (byte: number | undefined): boolean => isLineEnd(byte) || byte === escapeByte
