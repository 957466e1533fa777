/**
 * Finds forms that the end of a line breaks in two. Whatever is longer than a line comes out of base64(1), openssl and xxd as lines of
 * 60 digits or more, and a value somewhere in it may lie across the end of any of them.
 */
import type { FormIndex, FormReader, Found } from './form-index.ts'
import { leastCharacters } from './secret-forms.ts'

/** Fewer digits before the end of a line are not taken for a line of such a program. */
const leastLineDigits = 56
/** As long as a form can be, less one. */
const mostBeside = 127

/** `digitsBefore`: how many digits stand directly before the bytes. `reader`: of the bytes. */
type Search = { readonly from: number; readonly digitsBefore: number; readonly reader: FormReader }

export function findWrapped(
  index: FormIndex,
  bytes: Uint8Array,
  { from, digitsBefore, reader }: Search,
): Found | undefined {
  for (let lineEnd = nextLineEnd(bytes, from); lineEnd >= 0; lineEnd = nextLineEnd(bytes, lineEnd + 1)) {
    const end = bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
    if (countDigitsBefore(bytes, end, digitsBefore) < leastLineDigits) continue
    if (!reader.hasBeginning(Math.max(from, end - mostBeside), end) && !mayBegin(index, bytes, { from, end, lineEnd }))
      continue
    const found = findAcross(index, joined(bytes, { from, end, lineEnd }))
    if (found) return found
  }
  return undefined
}

/** A carriage return that comes last may be the first half of one. */
function nextLineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(newline, from)
  const last = bytes.length - 1
  return at < 0 && last >= from && bytes[last] === carriageReturn ? last : at
}

/** How many digits stand directly before a place; no more than matter are counted. */
export function countDigitsBefore(bytes: Uint8Array, place: number, digitsBefore: number): number {
  let at = place
  while (at > 0 && place - at < leastLineDigits && isDigit(bytes[at - 1])) at--
  return place - at + (at === 0 ? digitsBefore : 0)
}

/** Whether the first bytes of a form stand across the end of the line, or may yet. */
function mayBegin(index: FormIndex, bytes: Uint8Array, { from, end, lineEnd }: Across): boolean {
  const first = Math.max(from, end - border)
  let length = 0
  for (let at = first; at < end; at++) around[length++] = bytes[at] ?? 0
  let at = lineEnd + 1
  for (const most = length + border; at < bytes.length && length < most; at++) {
    const byte = bytes[at]
    if (isDigit(byte)) around[length++] = byte ?? 0
    else if (byte !== newline && byte !== carriageReturn) break
  }
  // What comes next may be all that is missing.
  return at === bytes.length || index.read(around.subarray(0, length)).hasBeginning(0, length)
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

type Across = { readonly from: number; readonly end: number; readonly lineEnd: number }

function joined(bytes: Uint8Array, { from, end, lineEnd }: Across): Joined {
  let first = end
  while (first > from && end - first < mostBeside && isDigit(bytes[first - 1])) first--
  const before = end - first
  const digits = new Uint8Array(before + mostBeside)
  digits.set(bytes.subarray(first, end))
  const after: number[] = []
  let at = lineEnd + 1
  for (; at < bytes.length && after.length < mostBeside; at++) {
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

function findAcross(index: FormIndex, { digits, placeOf, before, isOpen }: Joined): Found | undefined {
  const reader = index.read(digits)
  for (let found = reader.find(0); found && found.at < before; found = reader.find(found.at + 1)) {
    const isAcross = found.end > before
    if (!isAcross && !(found.isOpen && isOpen)) continue
    const end = isAcross ? placeOf(found.end - 1) + 1 : -1
    return { at: placeOf(found.at), end, isOpen: found.isOpen && isOpen }
  }
  return undefined
}

const newline = 0x0a
const carriageReturn = 0x0d

const digitTable = new Uint8Array(256)
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_='))
  digitTable[digit] = 1

const isDigit = (byte: number | undefined): boolean => digitTable[byte ?? 0] === 1
