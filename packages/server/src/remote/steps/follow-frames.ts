// Parses what the follow script of a step sends: header lines and the bytes of output between them. It comes from the server, so an
// impossible number stops the parser before anything is counted or stored.
import { StepFault } from '../../domain/tasks/step-fault.ts'

export type StepState = { readonly state: 'more' } | StepEnd

/** `total` counts everything that the step printed. `vanished`: there is neither an exit code nor a process, as after a reboot. */
export type StepEnd =
  | { readonly state: 'exited' | 'canceled' | 'timed_out'; readonly exitCode: number; readonly total: number }
  | { readonly state: 'vanished' }

/** `position` is the offset of the bytes in the whole output of the step. */
export type OutputPiece = { readonly bytes: Buffer; readonly position: number }

export class FollowFrames {
  /** How the session ended; undefined while it runs, and if it was cut off. */
  state: StepState | undefined
  #hasBegun = false
  #line = Buffer.alloc(0)
  #position: number
  #remaining = 0

  /** `from` is the requested offset: output continues there, or later if the server did not keep the bytes between. */
  constructor(from = 0) {
    this.#position = from
  }

  /** Whether anything has arrived from the follow script itself. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Reads bytes in pieces of any size; returns the output in them. */
  read(received: Buffer): OutputPiece[] {
    const pieces: OutputPiece[] = []
    let rest = received
    while (rest.length > 0) {
      if (this.#remaining > 0) {
        const bytes = rest.subarray(0, this.#remaining)
        pieces.push({ bytes, position: this.#position })
        this.#position += bytes.length
        this.#remaining -= bytes.length
        rest = rest.subarray(bytes.length)
      } else {
        rest = this.#readLine(rest)
      }
    }
    return pieces
  }

  #readLine(received: Buffer): Buffer {
    const end = received.indexOf('\n')
    // No line of the script is longer than this; those of the account's login files may be.
    this.#line = Buffer.concat([this.#line, end < 0 ? received : received.subarray(0, end)]).subarray(0, longestLine)
    if (end < 0) return Buffer.alloc(0)
    this.#take(this.#line.toString('latin1'))
    this.#line = Buffer.alloc(0)
    return received.subarray(end + 1)
  }

  #take(line: string): void {
    if (!this.#hasBegun) {
      this.#hasBegun = line === 'shipway-step follows'
      return
    }
    const [word, first, second, third] = line.split(' ')
    if (word === 'output') {
      this.#position = numberIn(first, { least: this.#position, most: MOST_BYTES })
      this.#remaining = numberIn(second, { least: 0, most: MOST_BYTES })
    } else if (word === 'exit') {
      const state = third === 'canceled' || third === 'timed_out' ? third : 'exited'
      this.state = {
        state,
        exitCode: numberIn(first, EXIT_CODES),
        total: numberIn(second, { least: 0, most: MOST_BYTES }),
      }
    } else if (word === 'more' || word === 'vanished') {
      this.state = { state: word }
    }
  }
}

const longestLine = 200

/** A petabyte: more than any step prints, and still an exact number. */
const MOST_BYTES = 1024 ** 5
const EXIT_CODES = { least: 0, most: 255 }

function numberIn(
  text: string | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const sentence =
    'The server tells things of the command that cannot be. Look at what answers there in place of its shell'
  throw new StepFault('server', sentence)
}
