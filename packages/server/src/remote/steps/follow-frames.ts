// Reads what the follow script of a step sends: lines that say what comes, and the bytes of the output between them. It is the server's
// word: numbers that no step can have end the reading, before anything is counted or stored by them.
import { StepFault } from '../../domain/tasks/step-fault.ts'

export type StepState = { readonly state: 'more' } | StepEnd

/** `total` counts all that the step printed. Vanished: neither an exit code nor a process is left, as after a reboot. */
export type StepEnd =
  | { readonly state: 'exited' | 'canceled' | 'timed_out'; readonly exitCode: number; readonly total: number }
  | { readonly state: 'vanished' }

/** `position` is the place of the bytes in everything that the step has printed. */
export type OutputPiece = { readonly bytes: Buffer; readonly position: number }

export class FollowFrames {
  /** How the session ended; undefined while it goes on, and for ever where it was cut. */
  state: StepState | undefined
  #hasBegun = false
  #line = Buffer.alloc(0)
  #position: number
  #remaining = 0

  /** `from` is what was asked for: output goes on from there, or from later where the server did not keep what lies between. */
  constructor(from = 0) {
    this.#position = from
  }

  /** Has anything come that only the server can have sent? */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Takes bytes as they come, cut anywhere; gives the output in them. */
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
    // No line of ours is longer than this; what the login files of the account print may be.
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

/** A petabyte: more than any step prints, and less than what is counted exactly. */
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
