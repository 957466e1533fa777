// The journal of the last minutes in memory, by topic: what those who look on are told from, and what those who come back have missed.
import type { Context } from '../../context.ts'
import { isJournaled } from '../../domain/change-event.ts'
import { createLoop } from '../../scheduling/loop.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { findJournalEnds, type JournalEntry, listJournal } from '../../store/journal.ts'
import { topicsOf } from './topics.ts'

/** Whoever comes back within that time is told what it has missed. */
const KEPT_MS = 5 * 60_000
/** However much happens: beyond it, those who come back fetch anew. */
const MOST_ENTRIES = 50_000
const PAGE = 1_000
/** The bus tells at once; looking now and then is for what another process could not tell. */
const LOOK_MS = 1_000
const REST_MS = 5
/** After those who listen were told, by how long that took: a thousand of them take a quarter of the time. */
const REST_FOR_EACH_MS = 3
const MOST_REST_MS = 500

/** Told at once that there is something new of a topic, and after which number. What it gives is called when it is its turn to tell of it. */
type TopicListener = (after: number) => () => void
type TailDependencies = Pick<Context, 'db' | 'bus' | 'clock' | 'log'>

export class Tail {
  readonly #ctx: TailDependencies
  readonly #loop
  readonly #telling
  /** Of listeners who are still to be told; what changes until then is told to them at once. */
  #rings = new Set<() => void>()
  #endListening: (() => void) | undefined
  #entries: JournalEntry[] = []
  readonly #byTopic = new Map<string, JournalEntry[]>()
  readonly #listeners = new Map<string, Set<TopicListener>>()
  readonly #peopleListeners = new Set<(userId: number) => void>()
  /** All after this number are here. */
  #first: number | undefined
  #last = 0

  constructor(ctx: TailDependencies) {
    this.#ctx = ctx
    this.#loop = createLoop({
      work: () => this.#read(),
      onError: (error) => ctx.log.warn({ err: error }, 'changes could not be read for those who look on'),
      everyMs: LOOK_MS,
      restMs: REST_MS,
    })
    this.#telling = createLoop({
      work: () => this.#ring(),
      onError: (error) => ctx.log.warn({ err: error }, 'those who look on could not be told of changes'),
      restMs: (tookMs) => Math.min(tookMs * REST_FOR_EACH_MS, MOST_REST_MS),
    })
  }

  /** Resolves when everything is known that was committed before. */
  async refresh(): Promise<void> {
    if (!this.#endListening) {
      this.#endListening = this.#ctx.bus.listen((event) => {
        if (isJournaled(event) || event.about === 'missed') this.#loop.wake()
      })
      this.#loop.start()
    }
    await this.#loop.run()
  }

  /** A record may be newer than the change that it is read for: whoever left before it was read is known by the time that it can be told. */
  async asOfNow<Record>(read: () => Promise<Record>): Promise<Record> {
    const record = await read()
    await this.refresh()
    return record
  }

  get last(): number {
    return this.#last
  }

  /** Whether everything after that number is still known. */
  reaches(seq: number): boolean {
    return this.#first !== undefined && seq >= this.#first && seq <= this.#last
  }

  /** What has changed of a topic since, each record once, in the order of the last changes: there is nothing to tell of what is past. */
  after(topic: string, seq: number): readonly JournalEntry[] {
    const entries = this.#byTopic.get(topic) ?? []
    const from = entries.findLastIndex((entry) => entry.seq <= seq) + 1
    const byRecord = new Map<string, JournalEntry>()
    for (const entry of entries.slice(from)) {
      const key = recordOf(entry)
      const wasCreated = byRecord.get(key)?.how === 'created' && entry.how === 'updated'
      byRecord.delete(key)
      byRecord.set(key, wasCreated ? { ...entry, how: 'created' } : entry)
    }
    return [...byRecord.values()]
  }

  /** Gives the function that ends it. */
  listen(topic: string, listener: TopicListener): () => void {
    const own = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0 && this.#listeners.get(topic) === own) this.#listeners.delete(topic)
    }
  }

  /** Told of somebody whose sign-ins or roles have changed, before anything that was changed after that. */
  listenToPeople(listener: (userId: number) => void): () => void {
    this.#peopleListeners.add(listener)
    return () => void this.#peopleListeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#endListening?.()
    await this.#loop.stop()
    await this.#telling.stop()
  }

  async #read(): Promise<void> {
    if (this.#first === undefined) {
      const { first } = await findJournalEnds(this.#ctx.db)
      this.#first = this.#last = first
    }
    for (let isMore = true; isMore; ) {
      const entries = await listJournal(this.#ctx.db, this.#last, PAGE)
      isMore = entries.length === PAGE
      for (const ring of this.#add(entries)) this.#rings.add(ring)
      if (this.#rings.size > 0) this.#telling.wake()
    }
    this.#forgetOld()
  }

  async #ring(): Promise<void> {
    const rings = this.#rings
    this.#rings = new Set()
    for (const ring of rings) {
      await yieldToRequests()
      ring()
    }
  }

  #add(entries: readonly JournalEntry[]): readonly (() => void)[] {
    const [next] = entries
    // Some were deleted before they were read: what is known ends there.
    const late = next && next.seq > this.#last + 1 ? this.#startAt(next.seq - 1) : []
    const before = this.#last
    const woken = new Set<TopicListener>()
    for (const entry of entries) {
      this.#last = entry.seq
      this.#entries.push(entry)
      if (entry.about === 'user') for (const listener of [...this.#peopleListeners]) listener(entry.id)
      for (const topic of topicsOf(entry)) {
        this.#byTopic
          .set(topic, this.#byTopic.get(topic) ?? [])
          .get(topic)
          ?.push(entry)
        for (const listener of this.#listeners.get(topic) ?? []) woken.add(listener)
      }
    }
    return [...late, ...[...woken].map((listener) => listener(before))]
  }

  #startAt(seq: number): readonly (() => void)[] {
    const before = this.#last
    this.#entries = []
    this.#byTopic.clear()
    this.#first = this.#last = seq
    // Whoever stands before it has to be told to fetch anew.
    return [...this.#listeners.values()].flatMap((own) => [...own].map((listener) => listener(before)))
  }

  #forgetOld(): void {
    const since = this.#ctx.clock() - KEPT_MS
    const kept = this.#entries.findIndex(({ at }) => at >= since)
    const count = Math.max(kept === -1 ? this.#entries.length : kept, this.#entries.length - MOST_ENTRIES)
    const gone = this.#entries.splice(0, count)
    const last = gone.at(-1)
    if (!last) return
    this.#first = last.seq
    for (const topic of new Set(gone.flatMap(topicsOf))) this.#forgetUpTo(last.seq, topic)
  }

  /** All of a topic at once: taking one after the other from the front of a long list moves all that is behind it each time. */
  #forgetUpTo(seq: number, topic: string): void {
    const own = this.#byTopic.get(topic) ?? []
    const kept = own.findIndex((entry) => entry.seq > seq)
    if (kept === -1) this.#byTopic.delete(topic)
    else own.splice(0, kept)
  }
}

/** A delivery is told of by its project. */
const recordOf = ({ about, id, position, parentId }: JournalEntry): string =>
  about === 'delivery' ? `project ${parentId} null` : `${about} ${id} ${position}`
