// Shows a task on a terminal, redrawn in place until it ends.
import type { Task } from '@shipway/api'
import { Redraw } from '../terminal/redraw.ts'
import type { Sink } from '../terminal/sink.ts'
import { frameOf, lastLines, type TaskView } from './frame.ts'
import { LastLines } from './last-lines.ts'

type LiveViewOptions = Pick<TaskView, 'title' | 'usual'> & { readonly task: Task }

export class LiveView {
  readonly #sink: Sink
  readonly #screen: Redraw
  readonly #about: Pick<TaskView, 'title' | 'usual'>
  readonly #output = new LastLines(2)
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #task: Task
  #updatedAt = performance.now()
  #isSilent = false
  #turn = 0

  constructor(sink: Sink, { task, title, usual }: LiveViewOptions) {
    this.#sink = sink
    this.#screen = new Redraw(sink)
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
    this.#screen.erase()
    for (const line of lastLines(this.#watched(), this.#sink.paint)) this.#sink.print(line)
  }

  #draw(): void {
    const size = this.#sink.size()
    if (!size) return
    this.#screen.draw(frameOf(this.#watched(), { ...size, turn: this.#turn++, paint: this.#sink.paint }))
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
}

const TURN_MS = 100
