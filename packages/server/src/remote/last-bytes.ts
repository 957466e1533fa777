// Holds the last bytes of a stream in a ring buffer of fixed size, allocated on first use.
export class LastBytes {
  readonly #limit: number
  #ring: Buffer | undefined
  /** Number of bytes ever added; the next one goes to this index, modulo the size of the ring. */
  #added = 0
  #length = 0
  #overwritten = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get length(): number {
    return this.#length
  }

  /** Number of bytes that were overwritten by later ones. */
  get overwritten(): number {
    return this.#overwritten
  }

  add(bytes: Buffer): void {
    this.#ring ??= Buffer.allocUnsafe(this.#limit)
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#limit))
    const at = this.#added % this.#limit
    const beforeTheEdge = kept.copy(this.#ring, at)
    kept.copy(this.#ring, 0, beforeTheEdge)
    this.#added += kept.length
    const length = this.#length + bytes.length
    this.#length = Math.min(length, this.#limit)
    this.#overwritten += length - this.#length
  }

  /** The bytes in order, as slices of the ring: read them before adding more. */
  pieces(): Buffer[] {
    if (!this.#ring) return []
    const from = (this.#added - this.#length) % this.#limit
    const first = this.#ring.subarray(from, Math.min(from + this.#length, this.#limit))
    const second = this.#ring.subarray(0, this.#length - first.length)
    return [first, second].filter((piece) => piece.length > 0)
  }

  /** Drops everything and counts it as overwritten. */
  clear(): void {
    this.#overwritten += this.#length
    this.#length = 0
  }
}
