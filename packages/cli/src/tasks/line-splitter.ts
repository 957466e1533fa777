// Output comes in pieces that end anywhere: handed on line by line, so that no sequence is looked at in halves.

export class LineSplitter {
  readonly #print: (line: string) => void
  readonly #most: number
  #rest = ''

  /** A line longer than `most` characters is handed on in pieces. */
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

  /** What has come without an end of line. */
  end(): void {
    if (this.#rest !== '') this.#print(this.#rest)
    this.#rest = ''
  }
}

/** As long as the platform lets a line be. */
const MOST_CHARACTERS = 64 * 1024
