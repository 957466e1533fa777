/**
 * Finds which of many forms stands at a place of some bytes. Most places are told by one look into a table of the first four bytes.
 * Where that says perhaps, the forms are in order: the last one that is not after the bytes shares more with them than any other, so
 * the longest that stands there is that one or one that it begins with. It is found by halving, and what the bytes are known to
 * share is not compared again: a place costs little more than the length of a form, whatever the forms and the bytes are.
 */
import { type FormTables, hashOfKey, hasSameKey, keyBytes, slotOf } from './form-tables.ts'

export type FormIndex = {
  readonly isEmpty: boolean
  read(bytes: Uint8Array): FormReader
}

export type FormReader = {
  /** The first place from `from` on where a form stands or, the bytes ending there, may begin. `from` grows from call to call. */
  find(from: number): FoundForm | undefined
  /** The next place from `from` on where the first bytes of a form stand; the end of the bytes where there is none. It grows too. */
  nextBeginning(from: number): number
  /** What stands at one place, or may begin there. */
  findAt(at: number): FoundForm | undefined
}

/** `end`: of the longest form at the place; -1 where none stands. `isOpen`: with more bytes, a longer one may stand there. */
export type FoundForm = { readonly at: number; readonly end: number; readonly isOpen: boolean }

export function createFormIndex(tables: FormTables): FormIndex {
  const formWords = wordsOf(tables.bytes)
  return {
    isEmpty: tables.starts.length === 0,
    read: (bytes) => readerOf({ tables, formWords, bytes, words: wordsOf(bytes) }),
  }
}

/** Bytes, and both sides once more to read four at once. */
type Reading = {
  readonly tables: FormTables
  readonly formWords: DataView
  readonly bytes: Uint8Array
  readonly words: DataView
}

const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

function readerOf(reading: Reading): FormReader {
  const { tables, bytes } = reading
  const known = new Beginnings(tables, bytes)
  let next = 0
  let asked = 0
  return {
    find(from) {
      for (next = known.seek(from, next); ; next++) {
        const at = known.at(next)
        if (at >= bytes.length) return findBeginning(tables, bytes, from)
        const found = findInOrder(reading, at, known.first(next))
        if (found) return found
      }
    },
    nextBeginning(from) {
      asked = known.seek(from, asked)
      return known.at(asked)
    },
    findAt(at) {
      if (bytes.length - at < keyBytes) return mayBegin(tables, bytes, at) ? { at, end: -1, isOpen: true } : undefined
      const first = groupAt(tables, bytes, at)
      return first < 0 ? undefined : findInOrder(reading, at, first)
    },
  }
}

/** The places where the first bytes of a form stand, with the first form of those that begin with them; found as they are asked for. */
class Beginnings {
  readonly #tables: FormTables
  readonly #bytes: Uint8Array
  readonly #places: number[] = []
  readonly #firsts: number[] = []
  #read = 0

  constructor(tables: FormTables, bytes: Uint8Array) {
    this.#tables = tables
    this.#bytes = bytes
  }

  /** The number of the first one from `from` on; those before number `least` are before `from`. */
  seek(from: number, least: number): number {
    let number = least
    while (this.at(number) < from) number++
    return number
  }

  at(number: number): number {
    while (number >= this.#places.length && this.#read < this.#bytes.length) this.#readOn()
    return this.#places[number] ?? this.#bytes.length
  }

  first(number: number): number {
    return this.#firsts[number] ?? -1
  }

  #readOn(): void {
    const { beginnings } = this.#tables
    const bytes = this.#bytes
    const shift = Math.clz32(beginnings.length) + 1
    const last = bytes.length - keyBytes
    let at = this.#read
    let four = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (; at <= last; at++) {
      four = (four << 8) | (bytes[at + 3] ?? 0)
      if (beginnings[Math.imul(four, 0x9e3779b1) >>> shift] !== 1) continue
      const first = groupAt(this.#tables, bytes, at)
      if (first < 0) continue
      this.#places.push(at)
      this.#firsts.push(first)
      this.#read = at + 1
      return
    }
    this.#read = bytes.length
  }
}

/** The first form that begins with the six bytes at a place; -1 where none does. */
function groupAt({ bytes: forms, starts, groups }: FormTables, bytes: Uint8Array, at: number): number {
  const bits = 31 - Math.clz32(groups.length)
  for (let slot = slotOf(hashOfKey(bytes, at), bits); ; slot = (slot + 1) & (groups.length - 1)) {
    const first = (groups[slot] ?? 0) - 1
    if (first < 0 || hasSameKey(bytes, at, { bytes: forms, place: starts[first] ?? 0 })) return first
  }
}

/** `first`: of the forms that begin with the six bytes at the place. */
function findInOrder({ tables, formWords, bytes, words }: Reading, at: number, first: number): FoundForm | undefined {
  const { bytes: forms, starts, lengths, hides, beginsWith } = tables
  const room = bytes.length - at
  // The last form that is known not to be after the bytes, and the first that is known to be, with what each shares with them.
  let low = first - 1
  let high = lengths.length
  let sharedLow = 0
  let sharedHigh = 0
  for (let step = 1; low + 1 < high; step *= 2) {
    // In growing steps first: of many forms few have the same beginning.
    const isGrowing = high === lengths.length && low + step < high
    const middle = isGrowing ? low + step : (low + high) >>> 1
    const start = starts[middle] ?? 0
    const length = lengths[middle] ?? 0
    let shared = sharedLow < sharedHigh ? sharedLow : sharedHigh
    const most = length < room ? length : room
    // Four at once as long as there are four: a form of one repeated letter is compared to its end at each place.
    while (shared + 4 <= most && formWords.getInt32(start + shared) === words.getInt32(at + shared)) shared += 4
    while (shared < most && forms[start + shared] === bytes[at + shared]) shared++
    // One that the bytes are the beginning of comes after them.
    if (shared < length && (shared === room || (forms[start + shared] ?? 0) > (bytes[at + shared] ?? 0))) {
      high = middle
      sharedHigh = shared
    } else {
      low = middle
      sharedLow = shared
    }
  }
  let place = low < first ? -1 : low
  while (place >= 0 && (lengths[place] ?? 0) > sharedLow) place = beginsWith[place] ?? -1
  const end = place < 0 ? -1 : at + (hides[place] ?? 0)
  const isOpen = (high < lengths.length && sharedHigh === room) || end > bytes.length
  return place < 0 && !isOpen ? undefined : { at, end: Math.min(end, bytes.length), isOpen }
}

/** The last bytes may be the beginning of a form that is too short yet to be looked up. */
function findBeginning(tables: FormTables, bytes: Uint8Array, from: number): FoundForm | undefined {
  for (let at = Math.max(from, bytes.length - keyBytes + 1); at < bytes.length; at++)
    if (mayBegin(tables, bytes, at)) return { at, end: -1, isOpen: true }
  return undefined
}

/** Whether a form begins with all bytes from a place on, which are fewer than any form has. */
function mayBegin({ bytes: forms, starts }: FormTables, bytes: Uint8Array, at: number): boolean {
  const length = bytes.length - at
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const start = starts[middle] ?? 0
    let shared = 0
    while (shared < length && forms[start + shared] === bytes[at + shared]) shared++
    if (shared === length) return true
    if ((forms[start + shared] ?? 0) > (bytes[at + shared] ?? 0)) high = middle
    else low = middle + 1
  }
  return false
}
