/**
 * Finds forms that the end of a line breaks in two. Whatever is longer than a line comes out of base64(1), openssl and xxd as lines of
 * 60 digits or more, and a value somewhere in it may lie across the end of any of them.
 */
import type { FormIndex, Found } from './form-index.ts'

/** Fewer digits before the end of a line are not taken for a line of such a program. */
const leastLineDigits = 56
/** As long as a form can be, less one. */
const mostBeside = 127

/** `digitsBefore`: how many digits stand directly before the bytes. */
export function findWrapped(
  index: FormIndex,
  bytes: Uint8Array,
  { from, digitsBefore }: { readonly from: number; readonly digitsBefore: number },
): Found | undefined {
  for (let lineEnd = nextLineEnd(bytes, from); lineEnd >= 0; lineEnd = nextLineEnd(bytes, lineEnd + 1)) {
    const end = bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
    if (countDigitsBefore(bytes, end, digitsBefore) < leastLineDigits) continue
    const across = { from, end, lineEnd }
    // Nearly always a few digits of the next line are enough to see that nothing begins here.
    const { digits, before } = joined(bytes, across, 5)
    const first = index.find(digits, 0)
    const found = first && first.at < before && findAcross(index, joined(bytes, across, mostBeside))
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

/** Digits on both sides of the end of a line without it, where each stands, and how many of them are before it. */
type Joined = {
  readonly digits: Uint8Array
  readonly placeOf: (digit: number) => number
  readonly before: number
  /** More may come. */
  readonly isOpen: boolean
}

type Across = { readonly from: number; readonly end: number; readonly lineEnd: number }

function joined(bytes: Uint8Array, { from, end, lineEnd }: Across, mostAfter: number): Joined {
  let first = end
  while (first > from && end - first < mostBeside && isDigit(bytes[first - 1])) first--
  const before = end - first
  const digits = new Uint8Array(before + mostAfter)
  digits.set(bytes.subarray(first, end))
  const after: number[] = []
  let at = lineEnd + 1
  for (; at < bytes.length && after.length < mostAfter; at++) {
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
  for (let found = index.find(digits, 0); found && found.at < before; found = index.find(digits, found.at + 1)) {
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
