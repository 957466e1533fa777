// The output of tasks as it comes, read once for all who follow it.
import type { LiveTopic } from '@shipway/api/live'
import type { Context } from '../../context.ts'
import { isFinal } from '../../domain/tasks/task.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { findOutputOf, listOutput } from '../../store/tasks/outputs.ts'
import { wholeLength } from '../logs/output-event.ts'
import { encode } from './descriptions.ts'

/** As JSON it can become six times as long, and fits into what may be on its way to a reader even then. */
export const PIECE_BYTES = 32 * 1024
/** Of all logs together: whoever is up to date reads the newest ones, however many logs are followed. */
const MOST_KEPT = 256
/** For what another process could not tell. */
const GOOD_FOR_MS = 2_000

type Length = { readonly bytes: number; readonly isOver: boolean }
/** A message, and the byte after it. What was printed never changes, so that neither does this. */
type Piece = { readonly message: Buffer; readonly to: number }
/** By task and first byte. */
type Pieces = Map<string, Promise<Piece | undefined>>
type Ways = Pick<Context, 'db' | 'bus' | 'clock'>

export class TaskLog {
  readonly #ctx: Ways
  readonly #taskId: number
  readonly #listeners = new Set<() => void>()
  readonly #pieces: Pieces
  #length: { readonly asked: Promise<Length>; readonly at: number } | undefined
  #endListening: () => void = () => undefined

  constructor(ctx: Ways, taskId: number, pieces: Pieces) {
    this.#ctx = ctx
    this.#taskId = taskId
    this.#pieces = pieces
  }

  /** Told that there may be more. Gives the function that ends it. */
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

  length(): Promise<Length> {
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

  /** From one byte on; undefined where no whole character is there yet. */
  async piece(from: number, { bytes: length, isOver }: Length): Promise<Piece | undefined> {
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

  async #findLength(): Promise<Length> {
    const task = await findOutputOf(this.#ctx.db, this.#taskId)
    return task ? { bytes: task.bytes, isOver: isFinal(task.status) } : { bytes: 0, isOver: true }
  }

  async #readPiece(from: number, { bytes: length, isOver }: Length): Promise<Piece | undefined> {
    // Reading is one piece of work, writing it as JSON another.
    await yieldToRequests()
    const bytes = await listOutput(this.#ctx.db, this.#taskId, { from, most: Math.min(PIECE_BYTES, length - from) })
    await yieldToRequests()
    const ready = wholeLength(bytes) || (isOver ? bytes.length : 0)
    if (ready === 0) return undefined
    const to = from + ready
    const data = { task_id: this.#taskId, offset: to, text: bytes.subarray(0, ready).toString('utf8') }
    const topic: LiveTopic = `task:${this.#taskId}:log`
    return { message: encode({ event: 'log.append', data }, topic, { seq: to, at: this.#ctx.clock() }), to }
  }
}

export class TaskLogs {
  readonly #ctx: Ways
  readonly #logs = new Map<number, TaskLog>()
  readonly #pieces: Pieces = new Map()

  constructor(ctx: Ways) {
    this.#ctx = ctx
  }

  of(taskId: number): TaskLog {
    for (const [id, log] of this.#logs) if (!log.isFollowed) this.#logs.delete(id)
    const log = this.#logs.get(taskId) ?? new TaskLog(this.#ctx, taskId, this.#pieces)
    this.#logs.set(taskId, log)
    return log
  }
}
