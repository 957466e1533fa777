// Keeps the last lines of output that arrives in chunks.

export class LastLines {
  readonly #most: number
  #lines: string[] = []
  #rest = ''

  constructor(most: number) {
    this.#most = most
  }

  add(text: string): void {
    const lines = `${this.#rest}${text}`.slice(-MOST_CHARACTERS).split('\n')
    this.#rest = lines.pop() ?? ''
    this.#lines = [...this.#lines, ...lines.filter((line) => line.trim() !== '')].slice(-this.#most)
  }

  /** Including the unfinished one. */
  lines(): string[] {
    const isBegun = this.#rest.trim() !== ''
    return [...this.#lines, ...(isBegun ? [this.#rest] : [])].slice(-this.#most)
  }
}

const MOST_CHARACTERS = 64 * 1024
