/**
 * Finds which of many forms stands at a place of some bytes, in time that does not grow with their number.
 *
 * Most places are told by one look into a table of the first four bytes. Where that says perhaps, the forms with the same first six
 * bytes are in order: the last one that is not after the bytes shares more with them than any other, so the longest that stands
 * there is that one or one that it begins with.
 */
import { leastCharacters } from './secret-forms.ts'

export type FormIndex = {
  readonly isEmpty: boolean
  /** Each place is looked at once, however often it is asked about. */
  read(bytes: Uint8Array): FormReader
}

export type FormReader = {
  /** The first place from `from` on where a form stands or, the bytes ending there, may begin. */
  find(from: number): Found | undefined
  /** Whether the first bytes of a form stand somewhere from `from` on and before `to`, whatever comes after them. */
  hasBeginning(from: number, to: number): boolean
}

/** `end`: of the longest form at the place; -1 where none stands. `isOpen`: with more bytes, a longer one may stand there. */
export type Found = { readonly at: number; readonly end: number; readonly isOpen: boolean }

export function createFormIndex(forms: ReadonlySet<string>): FormIndex {
  const table = new Uint8Array(1 << tableBits)
  const beginnings = new Set<number>()
  const byKey = new Map<number, string[]>()
  for (const form of forms) {
    if (form.length < keyBytes) throw new TypeError('A form is too short to be looked for')
    const bytes = Buffer.from(form, 'latin1')
    table[slotOf(bytes.readInt32BE(0))] = 1
    for (let length = 1; length < keyBytes; length++) beginnings.add(beginningOf(bytes, 0, length))
    const key = bytes.readUIntBE(0, keyBytes)
    const group = byKey.get(key)
    if (group) group.push(form)
    else byKey.set(key, [form])
  }
  const groups = new Map([...byKey].map(([key, group]) => [key, sortGroup(group)]))
  return {
    isEmpty: groups.size === 0,
    read: (bytes) => {
      const nextPlace = placesIn({ table, groups }, bytes)
      return {
        find: (from) => findFrom(groups, bytes, { from, nextPlace }) ?? findBeginning(beginnings, bytes, from),
        hasBeginning: (from, to) => nextPlace(from) <= to - keyBytes,
      }
    },
  }
}

/** Every form is at least as long. */
const keyBytes = leastCharacters
const tableBits = 18

const slotOf = (firstFour: number): number => Math.imul(firstFour, 0x9e3779b1) >>> (32 - tableBits)

type Group = { readonly forms: readonly Uint8Array[]; readonly beginsWith: readonly number[] }

/** `beginsWith`: the longest other form that a form begins with, by its place; -1 where there is none. */
function sortGroup(forms: readonly string[]): Group {
  // One character per byte: the order of strings is the order of bytes.
  const sorted = forms.toSorted((one, other) => (one < other ? -1 : 1))
  const open: number[] = []
  const beginsWith = sorted.map((form, place) => {
    while (open.length > 0 && !form.startsWith(sorted[open.at(-1) ?? 0] ?? '')) open.pop()
    const parent = open.at(-1) ?? -1
    open.push(place)
    return parent
  })
  return { forms: sorted.map((form) => Buffer.from(form, 'latin1')), beginsWith }
}

type Tables = { readonly table: Uint8Array; readonly groups: ReadonlyMap<number, Group> }

type Reading = { readonly from: number; readonly nextPlace: (from: number) => number }

function findFrom(groups: Tables['groups'], bytes: Uint8Array, { from, nextPlace }: Reading): Found | undefined {
  for (let at = nextPlace(from); at < bytes.length; at = nextPlace(at + 1)) {
    const group = groups.get(keyAt(bytes, at))
    const found = group && findInGroup(group, bytes, at)
    if (found) return found
  }
  return undefined
}

/** Tells the next place where the first bytes of a form stand; the end of the bytes where there is none. */
function placesIn(tables: Tables, bytes: Uint8Array): (from: number) => number {
  const places: number[] = []
  let last = -1
  return (from) => {
    while (last < from && last < bytes.length) {
      last = readOn(tables, bytes, last + 1)
      places.push(last)
    }
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((places[middle] ?? 0) < from) low = middle + 1
      else high = middle
    }
    return places[low] ?? bytes.length
  }
}

function readOn({ table, groups }: Tables, bytes: Uint8Array, from: number): number {
  const last = bytes.length - keyBytes
  let firstFour = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
  for (let at = from; at <= last; at++) {
    firstFour = (firstFour << 8) | (bytes[at + 3] ?? 0)
    if (table[Math.imul(firstFour, 0x9e3779b1) >>> (32 - tableBits)] !== 1) continue
    if (groups.has(keyAt(bytes, at))) return at
  }
  return bytes.length
}

function keyAt(bytes: Uint8Array, at: number): number {
  let key = 0
  for (let offset = 0; offset < keyBytes; offset++) key = key * 256 + (bytes[at + offset] ?? 0)
  return key
}

function findInGroup({ forms, beginsWith }: Group, bytes: Uint8Array, at: number): Found | undefined {
  let low = 0
  let high = forms.length
  // What the bytes share with the forms on both sides, they share with all between them.
  let sharedLow = keyBytes
  let sharedHigh = keyBytes
  while (low < high) {
    const middle = (low + high) >>> 1
    const form = forms[middle] ?? bytes
    const shared = sharedFrom(Math.min(sharedLow, sharedHigh), form, { bytes, at })
    if (shared < form.length && (form[shared] ?? 0) > (bytes[at + shared] ?? -1)) {
      high = middle
      sharedHigh = shared
    } else {
      low = middle + 1
      sharedLow = shared
    }
  }
  const isOpen = low < forms.length && at + sharedHigh === bytes.length
  let place = low - 1
  while (place >= 0 && (forms[place]?.length ?? 0) > sharedLow) place = beginsWith[place] ?? -1
  if (place < 0 && !isOpen) return undefined
  return { at, end: place < 0 ? -1 : at + (forms[place]?.length ?? 0), isOpen }
}

/** How many of its first bytes a form has in common with those at a place; so many are known to be. */
function sharedFrom(known: number, form: Uint8Array, { bytes, at }: { bytes: Uint8Array; at: number }): number {
  const most = Math.min(form.length, bytes.length - at)
  let shared = known
  while (shared < most && form[shared] === bytes[at + shared]) shared++
  return shared
}

/** The last bytes may be the beginning of a form that is too short yet to be looked up. */
function findBeginning(beginnings: ReadonlySet<number>, bytes: Uint8Array, from: number): Found | undefined {
  for (let at = Math.max(from, bytes.length - keyBytes + 1); at < bytes.length; at++)
    if (beginnings.has(beginningOf(bytes, at, bytes.length - at))) return { at, end: -1, isOpen: true }
  return undefined
}

function beginningOf(bytes: Uint8Array, at: number, length: number): number {
  let number = length
  for (let offset = 0; offset < length; offset++) number = number * 256 + (bytes[at + offset] ?? 0)
  return number
}
