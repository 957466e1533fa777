/**
 * Finds forms that the end of a line breaks in two. Whatever is longer than a line comes out of base64(1), openssl and xxd as lines of
 * 60 digits or more, and a value somewhere in it may lie across the end of any of them.
 */
import type { FormIndex, FormReader, FoundForm } from './form-index.ts'
import { leastCharacters } from './secret-forms.ts'

/** Fewer digits before the end of a line are not taken for a line of such a program. */
const leastLineDigits = 56
/** As long as a form can be, less one. */
const mostBeside = 127

/** A form goes on after so many ends of lines and no more: nothing that is printed has as many, and they are held back until then. */
const mostLineEnds = 4096

/** `digitsBefore`: how many digits stand directly before the bytes. `reader`: of the bytes. */
type Search = { readonly digitsBefore: number; readonly reader: FormReader }

/** Each end of a line that enough digits stand before is looked at once, in order. */
export class WrappedForms {
  readonly #index: FormIndex
  readonly #bytes: Uint8Array
  readonly #search: Search
  #lineEnd: number
  /** After the end of the line that was looked at last. */
  #line = 0
  /** At the end of the line that was looked at last, by their places. */
  #found: readonly FoundForm[] = []
  #next = 0

  constructor(index: FormIndex, bytes: Uint8Array, search: Search) {
    this.#index = index
    this.#bytes = bytes
    this.#search = search
    this.#lineEnd = lineEndAfterFirst(bytes, search.digitsBefore) ?? nextLineEnd(bytes, 0)
  }

  /** The first from `from` on, which grows from call to call. */
  find(from: number): FoundForm | undefined {
    for (;;) {
      for (; this.#next < this.#found.length; this.#next++) {
        const found = this.#found[this.#next]
        if (found && found.at >= from) return found
      }
      if (this.#lineEnd < 0) return undefined
      this.#found = this.#findAround(this.#lineEnd)
      this.#next = 0
      this.#line = this.#lineEnd + 1
      this.#lineEnd = nextLineEnd(this.#bytes, this.#lineEnd + 1)
    }
  }

  #findAround(lineEnd: number): readonly FoundForm[] {
    const bytes = this.#bytes
    const { reader } = this.#search
    const end = bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
    const isBegun = reader.nextBeginning(Math.max(this.#line, end - mostBeside)) <= end - leastCharacters
    if (!isBegun && !mayBegin(this.#index, bytes, { end, lineEnd })) return []
    return findAcross(this.#index, joined(bytes, { end, lineEnd }), reader)
  }
}

/** The end of the first line where it has enough digits with those before. */
function lineEndAfterFirst(bytes: Uint8Array, digitsBefore: number): number | undefined {
  const end = endOfDigits(bytes, 0)
  return end + digitsBefore < leastLineDigits ? undefined : lineEndAt(bytes, end)
}

/**
 * The next end of a line that enough digits stand before, from `from` on; -1 where there is none. Where one place is no digit, none of
 * those are that reach across it: most lines are passed by a look at every fifty-sixth byte.
 */
function nextLineEnd(bytes: Uint8Array, from: number): number {
  let first = from
  for (let last = first + leastLineDigits - 1; last < bytes.length; last = first + leastLineDigits - 1) {
    let start = last + 1
    while (start > first && isDigit(bytes[start - 1])) start--
    if (start > first) {
      first = start
      continue
    }
    const end = endOfDigits(bytes, last + 1)
    const lineEnd = lineEndAt(bytes, end)
    if (lineEnd !== undefined) return lineEnd
    first = end + 1
  }
  return -1
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let end = from
  while (isDigit(bytes[end])) end++
  return end
}

/** Of the line that ends at a place, if one does. A carriage return that comes last may be the first half of an end. */
function lineEndAt(bytes: Uint8Array, place: number): number | undefined {
  if (bytes[place] === newline) return place
  if (bytes[place] !== carriageReturn) return undefined
  if (place === bytes.length - 1) return place
  return bytes[place + 1] === newline ? place + 1 : undefined
}

/** How many digits stand directly before a place; no more than matter are counted. */
export function countDigitsBefore(bytes: Uint8Array, place: number, digitsBefore: number): number {
  let at = place
  while (at > 0 && place - at < leastLineDigits && isDigit(bytes[at - 1])) at--
  return place - at + (at === 0 ? digitsBefore : 0)
}

/** Whether the first bytes of a form stand across the end of the line, or may yet. */
function mayBegin(index: FormIndex, bytes: Uint8Array, { end, lineEnd }: Across): boolean {
  const first = Math.max(0, end - border)
  let length = 0
  for (let at = first; at < end; at++) around[length++] = bytes[at] ?? 0
  const most = length + border
  const limit = Math.min(bytes.length, lineEnd + mostLineEnds)
  let at = lineEnd + 1
  for (; at < limit && length < most; at++) {
    const byte = bytes[at]
    if (isDigit(byte)) around[length++] = byte ?? 0
    else if (byte !== newline && byte !== carriageReturn) break
  }
  // What comes next may be all that is missing.
  return at === bytes.length || index.read(around.subarray(0, length)).nextBeginning(0) < length
}

/** One less than the bytes that every form has. */
const border = leastCharacters - 1
const around = new Uint8Array(2 * border)

/** Digits on both sides of the end of a line without it, where each stands, and how many of them are before it. */
type Joined = {
  readonly digits: Uint8Array
  readonly placeOf: (digit: number) => number
  readonly before: number
  /** More may come. */
  readonly isOpen: boolean
}

type Across = { readonly end: number; readonly lineEnd: number }

function joined(bytes: Uint8Array, { end, lineEnd }: Across): Joined {
  let first = end
  while (first > 0 && end - first < mostBeside && isDigit(bytes[first - 1])) first--
  const before = end - first
  const digits = new Uint8Array(before + mostBeside)
  digits.set(bytes.subarray(first, end))
  const after: number[] = []
  const limit = Math.min(bytes.length, lineEnd + mostLineEnds + mostBeside)
  let at = lineEnd + 1
  for (; at < limit && after.length < mostBeside; at++) {
    const byte = bytes[at]
    if (isDigit(byte)) {
      digits[before + after.length] = byte ?? 0
      after.push(at)
    } else if (byte !== newline && byte !== carriageReturn) break
  }
  return {
    digits: digits.subarray(0, before + after.length),
    placeOf: (digit) => (digit < before ? first + digit : (after[digit - before] ?? 0)),
    before,
    isOpen: at === bytes.length,
  }
}

/** Only where the first bytes of a form stand in the line, and at its last few digits, can one begin that goes on after it. */
function findAcross(index: FormIndex, { digits, placeOf, before, isOpen }: Joined, reader: FormReader): FoundForm[] {
  const all: FoundForm[] = []
  const first = placeOf(0)
  const across = index.read(digits)
  const look = (digit: number): void => {
    const found = across.findAt(digit)
    if (!found) return
    const isAcross = found.end > before
    const mayGrow = found.isOpen && isOpen
    if (isAcross || mayGrow)
      all.push({ at: placeOf(digit), end: isAcross ? placeOf(found.end - 1) + 1 : -1, isOpen: mayGrow })
  }
  const lastFew = Math.max(0, before - border)
  for (let place = reader.nextBeginning(first); place - first < lastFew; place = reader.nextBeginning(place + 1))
    look(place - first)
  for (let digit = lastFew; digit < before; digit++) look(digit)
  return all
}

const newline = 0x0a
const carriageReturn = 0x0d

const digitTable = new Uint8Array(256)
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_='))
  digitTable[digit] = 1

const isDigit = (byte: number | undefined): boolean => digitTable[byte ?? 0] === 1
