// Finds the alias that makes a file too large. A few aliases of aliases can turn a few words into millions.
import { type Document, isAlias, isCollection, isPair } from 'yaml'

/** The offset of the first alias with which the document, with all aliases written out, has more than `most` values. */
export function firstRepeatedTooOften(document: Document, most: number): number | undefined {
  const sizes = new Map<string, number>()
  let found: number | undefined
  /** Aliases follow their anchors, so each size is known once. An alias inside its own anchor never ends. */
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.value)
    if (isAlias(node)) {
      const size = sizes.get(node.source) ?? 1
      if (size > most) found ??= node.range?.[0] ?? 0
      return size
    }
    if (!isCollection(node)) return 1
    if (node.anchor !== undefined) sizes.set(node.anchor, Number.POSITIVE_INFINITY)
    let size = 1
    for (const item of node.items) {
      size += sizeOf(item)
      if (size > most) {
        const last = isPair(item) ? item.value : item
        if (isAlias(last)) found ??= last.range?.[0] ?? 0
      }
    }
    if (node.anchor !== undefined) sizes.set(node.anchor, size)
    return size
  }
  const size = sizeOf(document.contents)
  return size > most ? (found ?? 0) : undefined
}
