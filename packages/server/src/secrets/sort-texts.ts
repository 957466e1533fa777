// Sorts many texts that lie one after the other in one piece of memory, in a time that grows with what has to be compared of them.

/** `starts` and `lengths` by the number of the text. */
export type Texts = { readonly bytes: Uint8Array; readonly starts: Uint32Array; readonly lengths: Uint8Array }

/** The numbers of the texts, by the order of their bytes. */
export function sortTexts({ bytes, starts, lengths }: Texts): Uint32Array {
  const order = Uint32Array.from(starts.keys())
  const byteAt = (place: number, depth: number): number => {
    const text = order[place] ?? 0
    return depth < (lengths[text] ?? 0) ? (bytes[(starts[text] ?? 0) + depth] ?? 0) : -1
  }
  const swap = (one: number, other: number): void => {
    const text = order[one] ?? 0
    order[one] = order[other] ?? 0
    order[other] = text
  }
  // Quicksort by one byte at a time: those that have the same byte there are sorted by the next one. Stretches that are left to
  // sort, as three numbers: from, to, and how many first bytes are the same in all of it.
  const left = [0, order.length, 0]
  while (left.length > 0) {
    const [depth = 0, to = 0, from = 0] = [left.pop(), left.pop(), left.pop()]
    if (to - from < 2) continue
    const pivot = middleOf(byteAt(from, depth), byteAt((from + to) >>> 1, depth), byteAt(to - 1, depth))
    let less = from
    let more = to
    for (let place = from; place < more; ) {
      const byte = byteAt(place, depth)
      if (byte < pivot) swap(less++, place++)
      else if (byte > pivot) swap(--more, place)
      else place++
    }
    left.push(from, less, depth, more, to, depth)
    // Below the end of a text there is nothing more to compare: all of these are the same.
    if (pivot >= 0) left.push(less, more, depth + 1)
  }
  return order
}

const middleOf = (one: number, two: number, three: number): number =>
  Math.max(Math.min(one, two), Math.min(Math.max(one, two), three))
