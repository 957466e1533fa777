/**
 * Hides secrets in output: every form of a secret becomes `[hidden]`, all other bytes stay.
 *
 * Forms that touch or overlap become one `[hidden]`, so the result does not depend on how the bytes are split into chunks. A stream
 * holds back only its last bytes, and only if a form may start with them.
 *
 * Everything a task prints goes through a mask before it is stored or sent. The mask knows every value that the task could print, including
 * values that were replaced since: `handed_values` keeps those sealed until a deployment without them has succeeded.
 */

import { buildEncodingTrie, type EncodingTrie, isEmpty } from './encoding-trie.ts'
import { countDigitsBefore } from './find-across-lines.ts'
import { findEncodedSecret } from './find-encoded-secret.ts'
import { Secret } from './secret.ts'
import { encodingsOf } from './secret-encodings.ts'

export type Mask = {
  /** Masks a complete text, and cuts it if it is very long. */
  text(text: string): string
  stream(): MaskStream
}

/** Takes chunks in order, without gaps. */
export type MaskStream = {
  write(bytes: Buffer): readonly MaskedPiece[]
  /** Returns what was held back. */
  end(): readonly MaskedPiece[]
}

/** `readBytes`: how many bytes of the input the piece replaces. */
export type MaskedPiece = { readonly bytes: Buffer; readonly readBytes: number; readonly isHidden: boolean }

export function createMask(values: Iterable<Secret | string>): Mask {
  return maskOf(buildTrieOf([...values].map((value) => (value instanceof Secret ? value.reveal() : value))))
}

/** Time and memory grow with the size of the values. */
export function buildTrieOf(values: readonly string[]): EncodingTrie {
  return buildEncodingTrie(allForms(values))
}

/** Yields the forms value by value: as strings, the forms of all values would not fit into memory. */
function* allForms(values: readonly string[]): Iterable<string> {
  for (const value of values) yield* encodingsOf(value)
}

export function maskOf(trie: EncodingTrie): Mask {
  return {
    text: (text) => maskText(trie, text),
    stream: () => new Stream(trie),
  }
}

function maskText(trie: EncodingTrie, text: string): string {
  if (isEmpty(trie)) return text
  const stream = new Stream(trie)
  if (text.length > mostTextCharacters) {
    // The bytes held back at the cut may be half of a secret, so they are left out.
    return `${textOf(stream.write(Buffer.from(text.slice(0, mostTextCharacters))))}…`
  }
  const pieces = [...stream.write(Buffer.from(text)), ...stream.end()]
  return pieces.some(({ isHidden }) => isHidden) ? textOf(pieces) : text
}

/** A text is masked in one go and blocks the event loop until then. */
const mostTextCharacters = 64 * 1024

const textOf = (pieces: readonly MaskedPiece[]): string => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()

const hidden = Buffer.from('[hidden]')

class Stream implements MaskStream {
  readonly #trie: EncodingTrie
  #held: Buffer = Buffer.alloc(0)
  /** Length so far of the hidden range that has not ended yet; -1 if there is none. */
  #hiddenBytes = -1
  /** How many of the held bytes belong to that range. */
  #hiddenAhead = 0
  #digitsBefore = 0

  constructor(trie: EncodingTrie) {
    this.#trie = trie
  }

  write(bytes: Buffer): readonly MaskedPiece[] {
    if (isEmpty(this.#trie)) return bytes.length === 0 ? [] : [plain(bytes)]
    return this.#read(bytes, { isEnd: false })
  }

  end(): readonly MaskedPiece[] {
    const pieces = this.#read(Buffer.alloc(0), { isEnd: true })
    return this.#hiddenBytes < 0 ? pieces : [...pieces, this.#endHidden()]
  }

  #read(more: Buffer, { isEnd }: { isEnd: boolean }): readonly MaskedPiece[] {
    const bytes = this.#held.length === 0 ? more : Buffer.concat([this.#held, more])
    const input = { bytes, digitsBefore: this.#digitsBefore }
    const pieces: MaskedPiece[] = []
    let done = 0
    let hiddenTo = this.#hiddenAhead
    /** Returns everything before a position; no form that starts later can change it. */
    const finishTo = (position: number): void => {
      if (this.#hiddenBytes >= 0) {
        this.#hiddenBytes += Math.min(hiddenTo, position) - done
        done = Math.min(hiddenTo, position)
        // A form that starts where the range ends extends it.
        if (hiddenTo >= position) return
        pieces.push(this.#endHidden())
      }
      if (position > done) pieces.push(plain(bytes.subarray(done, position)))
      done = position
    }
    let end = bytes.length
    let found = findEncodedSecret(this.#trie, input, 0)
    while (found) {
      if (found.isOpen && !isEnd) {
        end = found.at
        break
      }
      if (found.end > 0) {
        finishTo(found.at)
        if (this.#hiddenBytes < 0) this.#hiddenBytes = 0
        hiddenTo = Math.max(hiddenTo, found.end)
      }
      found = findEncodedSecret(this.#trie, input, found.at + 1)
    }
    finishTo(end)
    this.#hiddenAhead = Math.max(0, hiddenTo - end)
    this.#digitsBefore = countDigitsBefore(input, end)
    this.#held = Buffer.from(bytes.subarray(end))
    return pieces
  }

  #endHidden(): MaskedPiece {
    const piece = { bytes: hidden, readBytes: this.#hiddenBytes, isHidden: true }
    this.#hiddenBytes = -1
    return piece
  }
}

const plain = (bytes: Buffer): MaskedPiece => ({ bytes, readBytes: bytes.length, isHidden: false })
