// Splits what the program on a server prints into lines `TIME SERVICE TEXT`. A server may send anything: what is no such line is left
// out, and a line is never longer than a bound.

export type RawLine = { readonly time: string; readonly service: string; readonly text: Buffer }

/** The program cuts texts at 64 KiB. */
const LONGEST_LINE = 80 * 1024
/** The program splits longer texts of new lines into pieces of this length, all with the same time. */
const PIECE_BYTES = 3500
const TIME_BYTES = 30
const NEWLINE = 0x0a
const SPACE = 0x20
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/
const SERVICE = /^[A-Za-z0-9._-]{1,200}$/

export class LineReader {
  #rest: Buffer = Buffer.alloc(0)
  #isSkipping = false
  /** Texts that may go on, by service. */
  readonly #open = new Map<string, OpenLine>()

  add(bytes: Buffer): readonly RawLine[] {
    const lines: RawLine[] = []
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = this.#take(bytes.subarray(start, end))
      start = end + 1
      if (line) this.#join(line, lines)
    }
    this.#keep(bytes.subarray(start))
    return lines
  }

  /** Texts that went on no further. */
  flush(): readonly RawLine[] {
    const lines = [...this.#open.values()].map(whole)
    this.#open.clear()
    return lines
  }

  get isHolding(): boolean {
    return this.#open.size > 0
  }

  #take(end: Buffer): RawLine | undefined {
    const bytes = this.#rest.length === 0 ? end : Buffer.concat([this.#rest, end])
    this.#rest = Buffer.alloc(0)
    const isRestOfLong = this.#isSkipping
    this.#isSkipping = false
    return isRestOfLong ? undefined : parse(bytes.subarray(0, LONGEST_LINE))
  }

  #keep(start: Buffer): void {
    if (start.length === 0 || this.#isSkipping) return
    // A copy: the chunk that it is part of may go.
    this.#rest = Buffer.concat([this.#rest, start])
    if (this.#rest.length < LONGEST_LINE) return
    const line = parse(this.#rest.subarray(0, LONGEST_LINE))
    if (line) this.#open.set(line.service, { ...line, pieces: [line.text] })
    this.#rest = Buffer.alloc(0)
    this.#isSkipping = true
  }

  #join(line: RawLine, lines: RawLine[]): void {
    const open = this.#open.get(line.service)
    const isNext = open?.time === line.time && bytesOf(open) + line.text.length <= LONGEST_LINE
    if (open && !isNext) lines.push(whole(open))
    const pieces = open && isNext ? [...open.pieces, line.text] : [line.text]
    if (line.text.length === PIECE_BYTES) {
      this.#open.set(line.service, { time: line.time, service: line.service, pieces })
      return
    }
    this.#open.delete(line.service)
    lines.push(whole({ time: line.time, service: line.service, pieces }))
  }
}

type OpenLine = Omit<RawLine, 'text'> & { readonly pieces: readonly Buffer[] }

const bytesOf = ({ pieces }: OpenLine): number => pieces.reduce((sum, { length }) => sum + length, 0)

const whole = ({ time, service, pieces }: OpenLine): RawLine => ({
  time,
  service,
  text: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces),
})

function parse(line: Buffer): RawLine | undefined {
  if (line[TIME_BYTES] !== SPACE) return undefined
  const end = line.indexOf(SPACE, TIME_BYTES + 1)
  if (end < 0) return undefined
  const time = line.toString('latin1', 0, TIME_BYTES)
  const service = line.toString('latin1', TIME_BYTES + 1, end)
  return TIME.test(time) && SERVICE.test(service) ? { time, service, text: line.subarray(end + 1) } : undefined
}
