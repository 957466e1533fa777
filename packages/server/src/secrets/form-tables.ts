/**
 * The forms of all values as a few flat arrays, some twenty bytes for each form beside its own. Plain data, so that they can be made
 * in another thread; as strings in sets and maps they would take many times as much.
 *
 * Values that are made for it have many forms. Of those beyond a bound only the first bytes are kept: what begins like one of them is
 * hidden as far as the form goes. That hides what is not a secret here and there, and never shows one.
 */
import { leastCharacters } from './secret-forms.ts'
import { sortTexts, type Texts } from './sort-texts.ts'

export type FormTables = {
  /** What is looked for, in order, one directly after the other, each once. */
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
  readonly lengths: Uint8Array
  /** How many bytes are hidden where one stands; those that it begins with count as well. */
  readonly hides: Uint8Array
  /** The longest other one that it begins with, by its place in the order; -1 where there is none. */
  readonly beginsWith: Int32Array
  /** A hash table of the first six bytes: 1 + the place of the first one that begins with them, 0 for none. */
  readonly groups: Uint32Array
  /** By a hash of the first four bytes: whether any may begin with them. */
  readonly beginnings: Uint8Array
}

/** Every form is at least as long. */
export const keyBytes = leastCharacters

/** Enough for a megabyte of ordinary values. */
const wholeFormsBytes = 32 * 1024 * 1024
const cutBytes = 8

export function buildFormTables(forms: Iterable<string>, { wholeBytes = wholeFormsBytes } = {}): FormTables {
  const kept = inOrder(collect(forms, wholeBytes))
  const beginsWith = beginnersOf(kept)
  const { bytes, starts, lengths, hides } = kept
  // In order, so that the shorter one is done first.
  for (let place = 0; place < hides.length; place++)
    hides[place] = Math.max(hides[place] ?? 0, hides[beginsWith[place] ?? -1] ?? 0)
  const groups = groupsOf(kept)
  return { bytes, starts, lengths, hides, beginsWith, groups, beginnings: beginningsOf(kept) }
}

/** The place in a table of so many bits. */
export const slotOf = (number: number, bits: number): number => Math.imul(number, 0x9e3779b1) >>> (32 - bits)

/** Of the first six bytes at a place: the first four, and the two after them mixed in. */
export function hashOfKey(bytes: Uint8Array, at: number): number {
  const four =
    ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
  return four ^ Math.imul(((bytes[at + 4] ?? 0) << 8) | (bytes[at + 5] ?? 0), 0x85ebca6b)
}

export function hasSameKey(
  one: Uint8Array,
  at: number,
  { bytes, place }: { bytes: Uint8Array; place: number },
): boolean {
  for (let offset = 0; offset < keyBytes; offset++) if (one[at + offset] !== bytes[place + offset]) return false
  return true
}

type Collected = Texts & { readonly hides: Uint8Array }

function collect(forms: Iterable<string>, wholeBytes: number): Collected {
  let bytes = new Uint8Array(64 * 1024)
  let lengths = new Uint8Array(1024)
  let hides = new Uint8Array(1024)
  let used = 0
  let count = 0
  for (const form of forms) {
    if (form.length < keyBytes) throw new TypeError('A form is too short to be looked for')
    const length = used > wholeBytes ? Math.min(cutBytes, form.length) : form.length
    if (used + length > bytes.length) bytes = grown(bytes)
    if (count === lengths.length) [lengths, hides] = [grown(lengths), grown(hides)]
    for (let at = 0; at < length; at++) bytes[used + at] = form.charCodeAt(at)
    used += length
    lengths[count] = length
    hides[count++] = form.length
  }
  const starts = new Uint32Array(count)
  for (let text = 1; text < count; text++) starts[text] = (starts[text - 1] ?? 0) + (lengths[text - 1] ?? 0)
  return { bytes, starts, lengths, hides }
}

function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2)
  larger.set(bytes)
  return larger
}

/** Sorted by their bytes, each once. */
function inOrder(collected: Collected): Collected {
  const order = sortTexts(collected)
  const isFirst = (place: number): boolean =>
    place === 0 || !areSame(collected, order[place - 1] ?? 0, order[place] ?? 0)
  let count = 0
  let total = 0
  for (let place = 0; place < order.length; place++) {
    if (!isFirst(place)) continue
    count++
    total += collected.lengths[order[place] ?? 0] ?? 0
  }
  const sorted = {
    bytes: new Uint8Array(total),
    starts: new Uint32Array(count),
    lengths: new Uint8Array(count),
    hides: new Uint8Array(count),
  }
  let used = 0
  let next = -1
  for (let place = 0; place < order.length; place++) {
    const text = order[place] ?? 0
    if (isFirst(place)) {
      const start = collected.starts[text] ?? 0
      const length = collected.lengths[text] ?? 0
      sorted.starts[++next] = used
      sorted.lengths[next] = length
      sorted.bytes.set(collected.bytes.subarray(start, start + length), used)
      used += length
    }
    sorted.hides[next] = Math.max(sorted.hides[next] ?? 0, collected.hides[text] ?? 0)
  }
  return sorted
}

function areSame({ bytes, starts, lengths }: Texts, one: number, other: number): boolean {
  const length = lengths[one] ?? 0
  return length === lengths[other] && sharedBytes(bytes, [starts[one] ?? 0, starts[other] ?? 0], length) === length
}

function sharedBytes(bytes: Uint8Array, [one, other]: readonly [number, number], most: number): number {
  let shared = 0
  while (shared < most && bytes[one + shared] === bytes[other + shared]) shared++
  return shared
}

function beginnersOf({ bytes, starts, lengths }: Texts): Int32Array {
  const beginsWith = new Int32Array(starts.length).fill(-1)
  for (let place = 1; place < starts.length; place++) {
    // The one before is one that this one begins with, or shares with it all those that are.
    const most = Math.min(lengths[place - 1] ?? 0, lengths[place] ?? 0)
    const shared = sharedBytes(bytes, [starts[place - 1] ?? 0, starts[place] ?? 0], most)
    let before = place - 1
    while (before >= 0 && (lengths[before] ?? 0) > shared) before = beginsWith[before] ?? -1
    beginsWith[place] = before
  }
  return beginsWith
}

function groupsOf({ bytes, starts }: Texts): Uint32Array {
  const isFirst = (place: number): boolean =>
    place === 0 || !hasSameKey(bytes, starts[place] ?? 0, { bytes, place: starts[place - 1] ?? 0 })
  let count = 0
  for (let place = 0; place < starts.length; place++) if (isFirst(place)) count++
  const bits = bitsFor(count * 1.5)
  const groups = new Uint32Array(1 << bits)
  for (let place = 0; place < starts.length; place++) {
    if (!isFirst(place)) continue
    let slot = slotOf(hashOfKey(bytes, starts[place] ?? 0), bits)
    while (groups[slot] !== 0) slot = (slot + 1) & (groups.length - 1)
    groups[slot] = place + 1
  }
  return groups
}

function beginningsOf({ bytes, starts }: Texts): Uint8Array {
  // The least fits the cache of a processor, and the most is passed only by what is made to pass it.
  const bits = Math.min(22, Math.max(18, bitsFor(starts.length * 8)))
  const beginnings = new Uint8Array(1 << bits)
  const view = new DataView(bytes.buffer)
  for (const start of starts) beginnings[slotOf(view.getInt32(start), bits)] = 1
  return beginnings
}

/** Of a table that has room for so many. */
const bitsFor = (count: number): number => Math.max(4, Math.ceil(Math.log2(Math.max(1, count))))
