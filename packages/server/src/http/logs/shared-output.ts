// The output of tasks as it comes, read once for all who follow it.
import type { Context } from '../../context.ts'
import { LogExpired } from '../../domain/errors.ts'
import { isFinal } from '../../domain/tasks/task.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { findOutputOf, listOutput } from '../../store/tasks/outputs.ts'
import { wholeLength } from './output-event.ts'

/** As JSON it can become six times as long, and even then fits into what may be on its way to a live reader. */
export const PIECE_BYTES = 32 * 1024
/** Pieces of all tasks together: readers that are up to date ask for the newest ones, however many tasks are followed. */
const MOST_KEPT = 256
/** The bus notifies of a change at once; this finds changes of processes whose notification was lost. */
const GOOD_FOR_MS = 2_000

export type OutputLength = { readonly bytes: number; readonly isOver: boolean }
/** Whole characters. What was printed never changes, so a piece stays valid. */
export type OutputPiece = {
  readonly taskId: number
  readonly bytes: Buffer
  /** The offset after the last byte. */
  readonly to: number
  readonly readAt: number
}
/** By task and first byte. */
type Pieces = Map<string, Promise<OutputPiece | undefined>>
type Dependencies = Pick<Context, 'db' | 'bus' | 'clock'>

export class SharedOutput {
  readonly #ctx: Dependencies
  readonly #taskId: number
  readonly #listeners = new Set<() => void>()
  readonly #pieces: Pieces
  #length: { readonly asked: Promise<OutputLength>; readonly at: number } | undefined
  #endListening: () => void = () => undefined

  constructor(ctx: Dependencies, taskId: number, pieces: Pieces) {
    this.#ctx = ctx
    this.#taskId = taskId
    this.#pieces = pieces
  }

  /** Calls the listener when there may be more. Returns the function that ends it. */
  listen(listener: () => void): () => void {
    if (this.#listeners.size === 0) {
      this.#endListening = this.#ctx.bus.listen((event) => {
        const isOfTask = (event.about === 'output' || event.about === 'task') && event.id === this.#taskId
        if (!isOfTask && event.about !== 'missed') return
        this.#length = undefined
        for (const one of [...this.#listeners]) one()
      })
    }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#endListening()
    }
  }

  get isFollowed(): boolean {
    return this.#listeners.size > 0
  }

  length(): Promise<OutputLength> {
    const now = performance.now()
    if (!this.#length || now > this.#length.at + GOOD_FOR_MS) {
      const asked = this.#findLength()
      this.#length = { asked, at: now }
      asked.catch(() => {
        this.#length = undefined
      })
    }
    return this.#length.asked
  }

  /** The piece from one byte on; undefined where no whole character is there yet. */
  async piece(from: number, { bytes: length, isOver }: OutputLength): Promise<OutputPiece | undefined> {
    const key = `${this.#taskId} ${from}`
    const known = this.#pieces.get(key)
    if (known) return known
    const read = this.#readPiece(from, { bytes: length, isOver })
    this.#pieces.set(key, read)
    const [oldest] = this.#pieces.keys()
    if (this.#pieces.size > MOST_KEPT && oldest !== undefined) this.#pieces.delete(oldest)
    const forget = (): void => void this.#pieces.delete(key)
    read.then((piece) => (piece ? undefined : forget()), forget)
    return read
  }

  async #findLength(): Promise<OutputLength> {
    const task = await findOutputOf(this.#ctx.db, this.#taskId)
    return task ? { bytes: task.bytes, isOver: isFinal(task.status) } : { bytes: 0, isOver: true }
  }

  /** Output that was removed while it was read must not look like its end. */
  async #refuseExpired(): Promise<void> {
    const task = await findOutputOf(this.#ctx.db, this.#taskId)
    if (task && task.expiredAt !== null) throw LogExpired(task.finishedAt, task.expiredAt)
  }

  async #readPiece(from: number, { bytes: length, isOver }: OutputLength): Promise<OutputPiece | undefined> {
    await yieldToRequests()
    const bytes = await listOutput(this.#ctx.db, this.#taskId, { from, most: Math.min(PIECE_BYTES, length - from) })
    if (bytes.length === 0) await this.#refuseExpired()
    const ready = wholeLength(bytes) || (isOver ? bytes.length : 0)
    if (ready === 0) return undefined
    return {
      taskId: this.#taskId,
      bytes: bytes.subarray(0, ready),
      to: from + ready,
      readAt: this.#ctx.clock(),
    }
  }
}

export class SharedOutputs {
  readonly #ctx: Dependencies
  readonly #byTask = new Map<number, SharedOutput>()
  readonly #pieces: Pieces = new Map()

  constructor(ctx: Dependencies) {
    this.#ctx = ctx
  }

  of(taskId: number): SharedOutput {
    for (const [id, output] of this.#byTask) if (!output.isFollowed) this.#byTask.delete(id)
    const output = this.#byTask.get(taskId) ?? new SharedOutput(this.#ctx, taskId, this.#pieces)
    this.#byTask.set(taskId, output)
    return output
  }
}
