// Waits for the next change of a task. One that comes while nobody waits is remembered, so that none is missed.
import type { Context } from '../../context.ts'

export class TaskChanges {
  readonly #end: () => void
  #hasChanged = false
  #wake: () => void = () => undefined

  constructor(bus: Context['bus'], taskId: number) {
    this.#end = bus.listen((news) => {
      if (!OF_A_TASK.includes(news.about) || !('id' in news) || news.id !== taskId) return
      this.#hasChanged = true
      this.#wake()
    })
  }

  /** Before the task is read: what is announced from here on may not be in what is read. */
  forget(): void {
    this.#hasChanged = false
  }

  /** False when the time is over and nothing was announced. */
  async next(timeoutMs: number, gone: AbortSignal): Promise<boolean> {
    if (this.#hasChanged || gone.aborted) return this.#hasChanged
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        gone.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, timeoutMs)
      this.#wake = wake
      gone.addEventListener('abort', wake, { once: true })
    })
    return this.#hasChanged
  }

  end(): void {
    this.#end()
  }
}

/** Of all that is told with the id of a task, what its followers see. */
const OF_A_TASK: readonly string[] = ['task', 'step', 'output']
