// Extracts the output of one command from a session that runs many. Two marks with a random word enclose it, so that no output of a command
// can be mistaken for a mark.

/** Reads the output of a session in pieces of any size and returns what belongs to the command. */
export class MarkedOutput {
  readonly #begin: Buffer
  readonly #end: Buffer
  #rest: Buffer = Buffer.alloc(0)
  #hasBegun = false
  #exitCode: number | undefined

  constructor(word: string) {
    this.#begin = Buffer.from(`\0${word} begins -\n`)
    this.#end = Buffer.from(`\0${word} ends `)
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Undefined until the command has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }

  read(bytes: Buffer): Buffer {
    if (this.#exitCode !== undefined) return NOTHING
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    if (this.#hasBegun) return this.#readToEnd(all)
    const at = all.indexOf(this.#begin)
    if (at < 0) {
      this.#rest = all.subarray(cutMark(all, this.#begin))
      return NOTHING
    }
    this.#hasBegun = true
    return this.#readToEnd(all.subarray(at + this.#begin.length))
  }

  #readToEnd(all: Buffer): Buffer {
    const at = all.indexOf(this.#end)
    if (at < 0) {
      const kept = cutMark(all, this.#end)
      this.#rest = all.subarray(kept)
      return all.subarray(0, kept)
    }
    const said = all.subarray(at + this.#end.length)
    const line = said.indexOf('\n')
    if (line < 0) this.#rest = all.subarray(at)
    else this.#exitCode = readCode(said.subarray(0, line).toString('latin1'))
    return all.subarray(0, at)
  }
}

const NOTHING = Buffer.alloc(0)

/** Index of an incomplete mark at the end of the bytes. */
function cutMark(bytes: Buffer, mark: Buffer): number {
  const from = bytes.lastIndexOf(0)
  if (from < 0 || bytes.length - from >= mark.length) return bytes.length
  return mark.subarray(0, bytes.length - from).equals(bytes.subarray(from)) ? from : bytes.length
}

/** Rejects an invalid exit code: the session cannot be trusted any more. */
function readCode(text: string): number {
  const code = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (code >= 0 && code <= 255) return code
  throw new TypeError('A session reported an invalid exit code')
}
