// Splits chunks of output into lines, so that no control sequence is sanitized in two halves.

export class LineSplitter {
  readonly #print: (line: string) => void
  readonly #most: number
  #rest = ''

  /** A line longer than `most` characters is passed on in pieces. */
  constructor(print: (line: string) => void, most = MOST_CHARACTERS) {
    this.#print = print
    this.#most = most
  }

  add(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#print(line)
    if (this.#rest.length > this.#most) this.end()
  }

  /** Passes on the last, unfinished line. */
  end(): void {
    if (this.#rest !== '') this.#print(this.#rest)
    this.#rest = ''
  }
}

/** The platform's own limit for a line. */
const MOST_CHARACTERS = 64 * 1024
