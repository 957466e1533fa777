/**
 * Hides secrets in output: whatever stands for a form of one of the values becomes `[hidden]`, every other byte stays.
 *
 * Forms that touch or overlap are one hidden stretch, so the result is the same however the bytes are cut into pieces. Of a stream
 * only those last bytes are held back that may be the beginning of a form.
 */
import { createFormIndex, type FormIndex, type FoundForm } from './form-index.ts'
import { buildFormTables, type FormTables } from './form-tables.ts'
import { Secret } from './secret.ts'
import { formsOf } from './secret-forms.ts'
import { countDigitsBefore, WrappedForms } from './wrapped-forms.ts'

export type Mask = {
  /** A text that is whole. One that is longer than anybody reads is cut. */
  text(text: string): string
  stream(): MaskStream
}

/** The pieces come in order and lack nothing. */
export type MaskStream = {
  write(bytes: Buffer): readonly MaskedPiece[]
  /** What was held back; nothing comes after it. */
  end(): readonly MaskedPiece[]
}

/** `readBytes`: how many of the bytes that were written the piece stands for. */
export type MaskedPiece = { readonly bytes: Buffer; readonly readBytes: number; readonly isHidden: boolean }

export function createMask(values: Iterable<Secret | string>): Mask {
  return maskOf(tablesFor([...values].map((value) => (value instanceof Secret ? value.reveal() : value))))
}

/** What a mask needs to know of the values. It takes a time and a size that grow with theirs. */
export function tablesFor(values: readonly string[]): FormTables {
  return buildFormTables(allForms(values))
}

/** Value by value: the forms of one are in memory as strings, those of all would not fit. */
function* allForms(values: readonly string[]): Iterable<string> {
  for (const value of values) yield* formsOf(value)
}

export function maskOf(tables: FormTables): Mask {
  const index = createFormIndex(tables)
  return {
    text: (text) => maskText(index, text),
    stream: () => new Stream(index),
  }
}

function maskText(index: FormIndex, text: string): string {
  if (index.isEmpty) return text
  const stream = new Stream(index)
  if (text.length > mostTextCharacters) {
    // What is held back at the cut may be half of a secret, so it is left out.
    return `${textOf(stream.write(Buffer.from(text.slice(0, mostTextCharacters))))}…`
  }
  const pieces = [...stream.write(Buffer.from(text)), ...stream.end()]
  return pieces.some(({ isHidden }) => isHidden) ? textOf(pieces) : text
}

/** It is read at once, while everybody waits. */
const mostTextCharacters = 64 * 1024

const textOf = (pieces: readonly MaskedPiece[]): string => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()

const hidden = Buffer.from('[hidden]')

class Stream implements MaskStream {
  readonly #index: FormIndex
  #held: Buffer = Buffer.alloc(0)
  /** How many bytes of a hidden stretch are not told yet; -1 outside of one. */
  #hiddenBytes = -1
  /** How far the stretch reaches into what is held. */
  #hiddenAhead = 0
  /** How many digits of base64 or hex stand directly before what is held. */
  #digitsBefore = 0

  constructor(index: FormIndex) {
    this.#index = index
  }

  write(bytes: Buffer): readonly MaskedPiece[] {
    if (this.#index.isEmpty) return bytes.length === 0 ? [] : [plain(bytes)]
    return this.#read(bytes, { isEnd: false })
  }

  end(): readonly MaskedPiece[] {
    const pieces = this.#read(Buffer.alloc(0), { isEnd: true })
    return this.#hiddenBytes < 0 ? pieces : [...pieces, this.#tellHidden()]
  }

  #read(more: Buffer, { isEnd }: { isEnd: boolean }): readonly MaskedPiece[] {
    const bytes = this.#held.length === 0 ? more : Buffer.concat([this.#held, more])
    const pieces: MaskedPiece[] = []
    let told = 0
    let hiddenTo = this.#hiddenAhead
    /** Everything before a place is decided. */
    const tellTo = (place: number): void => {
      if (this.#hiddenBytes >= 0) {
        this.#hiddenBytes += Math.min(hiddenTo, place) - told
        told = Math.min(hiddenTo, place)
        // A form that begins where the stretch ends prolongs it.
        if (hiddenTo >= place) return
        pieces.push(this.#tellHidden())
      }
      if (place > told) pieces.push(plain(bytes.subarray(told, place)))
      told = place
    }
    let end = bytes.length
    const find = finderOf(this.#index, bytes, this.#digitsBefore)
    let found = find(0)
    while (found) {
      if (found.isOpen && !isEnd) {
        end = found.at
        break
      }
      if (found.end > 0) {
        tellTo(found.at)
        if (this.#hiddenBytes < 0) this.#hiddenBytes = 0
        hiddenTo = Math.max(hiddenTo, found.end)
      }
      found = find(found.at + 1)
    }
    tellTo(end)
    this.#hiddenAhead = Math.max(0, hiddenTo - end)
    this.#digitsBefore = countDigitsBefore(bytes, end, this.#digitsBefore)
    this.#held = Buffer.from(bytes.subarray(end))
    return pieces
  }

  #tellHidden(): MaskedPiece {
    const piece = { bytes: hidden, readBytes: this.#hiddenBytes, isHidden: true }
    this.#hiddenBytes = -1
    return piece
  }
}

/** What stands first, in one line or over the end of one. Each is looked for again only when it was passed. */
function finderOf(index: FormIndex, bytes: Buffer, digitsBefore: number): (from: number) => FoundForm | undefined {
  const reader = index.read(bytes)
  const inLine = remembering((from) => reader.find(from))
  const across = new WrappedForms(index, bytes, { digitsBefore, reader })
  const wrapped = remembering((from) => across.find(from))
  return (from) => {
    const [one, other] = [inLine(from), wrapped(from)]
    if (!one || !other) return one ?? other
    if (one.at !== other.at) return one.at < other.at ? one : other
    return { at: one.at, end: Math.max(one.end, other.end), isOpen: one.isOpen || other.isOpen }
  }
}

function remembering(find: (from: number) => FoundForm | undefined): (from: number) => FoundForm | undefined {
  let last: FoundForm | undefined | 'unknown' = 'unknown'
  return (from) => {
    if (last === 'unknown' || (last && last.at < from)) last = find(from)
    return last
  }
}

const plain = (bytes: Buffer): MaskedPiece => ({ bytes, readBytes: bytes.length, isHidden: false })
