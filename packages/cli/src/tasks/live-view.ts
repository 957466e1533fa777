// Shows a task on a terminal, redrawn in place until it ends.
import type { Task } from '@shipway/api'
import type { Sink } from '../terminal/sink.ts'
import { widthOf } from '../terminal/width.ts'
import { frameOf, lastLines, type TaskView } from './frame.ts'
import { LastLines } from './last-lines.ts'

type LiveViewOptions = Pick<TaskView, 'title' | 'usual'> & { readonly task: Task }

export class LiveView {
  readonly #sink: Sink
  readonly #about: Pick<TaskView, 'title' | 'usual'>
  readonly #output = new LastLines(2)
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #task: Task
  #updatedAt = performance.now()
  #isSilent = false
  #turn = 0
  /** The widths of the lines on the screen. */
  #drawn: readonly number[] = []

  constructor(sink: Sink, { task, title, usual }: LiveViewOptions) {
    this.#sink = sink
    this.#about = { title, usual }
    this.#task = task
    this.#timer = setInterval(() => this.#draw(), TURN_MS)
    this.#stopListening = sink.onResize(() => this.#draw())
    this.#draw()
  }

  onTask(task: Task): void {
    this.#task = task
    this.#updatedAt = performance.now()
  }

  onOutput(text: string): void {
    this.#output.add(text)
  }

  onSilence(isSilent: boolean): void {
    this.#isSilent = isSilent
  }

  /** Erases what was drawn, and prints the final lines. */
  end(): void {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#sink.draw({ before: this.#toTheTop(), lines: [], after: ERASE_BELOW })
    for (const line of lastLines(this.#watched(), this.#sink.paint)) this.#sink.print(line)
  }

  #draw(): void {
    const size = this.#sink.size()
    if (!size) return
    const lines = frameOf(this.#watched(), { ...size, turn: this.#turn++, paint: this.#sink.paint })
    // No wrapping while drawing: a terminal may measure a character wider than we do.
    this.#sink.draw({ before: `${NO_WRAP}${this.#toTheTop()}`, lines, after: `${ERASE_BELOW}${WRAP}` })
    this.#drawn = lines.map(widthOf)
  }

  #watched(): TaskView {
    return {
      ...this.#about,
      task: this.#task,
      age: performance.now() - this.#updatedAt,
      output: this.#output.lines(),
      isSilent: this.#isSilent,
    }
  }

  /** A narrower window has wrapped the lines, so they take more rows. */
  #toTheTop(): string {
    const columns = this.#sink.size()?.columns ?? 80
    const rows = this.#drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
    return rows === 0 ? '\r' : `\r\u001b[${rows}A`
  }
}

const TURN_MS = 100
const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
const ERASE_BELOW = '\u001b[J'
