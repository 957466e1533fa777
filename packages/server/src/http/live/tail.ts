// The journal of the last minutes in memory, by topic. Subscribers get their events from it, and reconnecting readers what they missed.
//
// One order for all processes: a change increments `journal_end` and writes its entries as the last statement of its transaction, and every other
// change waits until then, so no number becomes visible before a lower one. A process that hears of a change reads the journal from its own
// position, and polls every second as well: a process that dies between commit and notification loses nothing.
import type { Context } from '../../context.ts'
import { isJournaled } from '../../domain/change-event.ts'
import { createLoop } from '../../scheduling/loop.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { findJournalEnds, type JournalEntry, listJournal } from '../../store/journal.ts'
import { topicsOf } from './topics.ts'

/** A reader that reconnects within this time gets what it missed. */
const KEPT_MS = 5 * 60_000
/** Beyond this, reconnecting readers fetch anew. */
const MOST_ENTRIES = 50_000
const PAGE = 1_000
/** The bus notifies at once; polling covers what another process could not announce. */
const POLL_MS = 1_000
const REST_MS = 5
/** The pause after notifying, as a multiple of how long that took: a thousand subscribers may take a quarter of the time. */
const REST_FOR_EACH_MS = 3
const MOST_REST_MS = 500

/** Called when a topic changes, with the number before the change; returns the callback that notifies its reader later. */
type TopicListener = (after: number) => () => void
type TailDependencies = Pick<Context, 'db' | 'bus' | 'clock' | 'log'>

export class Tail {
  readonly #ctx: TailDependencies
  readonly #loop
  readonly #notifying
  /** Callbacks of readers still to be notified; further changes until then go with the same notification. */
  #pending = new Set<() => void>()
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
      onError: (error) => ctx.log.warn({ err: error }, 'the journal could not be read for live readers'),
      everyMs: POLL_MS,
      restMs: REST_MS,
    })
    this.#notifying = createLoop({
      work: () => this.#notify(),
      onError: (error) => ctx.log.warn({ err: error }, 'live readers could not be notified of changes'),
      restMs: (tookMs) => Math.min(tookMs * REST_FOR_EACH_MS, MOST_REST_MS),
    })
  }

  /** Resolves when everything committed before the call is in memory. */
  async refresh(): Promise<void> {
    if (!this.#endListening) {
      this.#endListening = this.#ctx.bus.listen((event) => {
        if (isJournaled(event) || event.about === 'missed') this.#loop.wake()
      })
      this.#loop.start()
    }
    await this.#loop.run()
  }

  /** Reads a record, then the journal: a loss of access that was committed before the record was read is known before the record is sent. */
  async asOfNow<Record>(read: () => Promise<Record>): Promise<Record> {
    const record = await read()
    await this.refresh()
    return record
  }

  get last(): number {
    return this.#last
  }

  /** Whether everything after that number is still in memory. */
  reaches(seq: number): boolean {
    return this.#first !== undefined && seq >= this.#first && seq <= this.#last
  }

  /** What has changed of a topic since, each record once, in the order of the last changes. */
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

  /** Returns the function that unsubscribes. */
  listen(topic: string, listener: TopicListener): () => void {
    const own = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0 && this.#listeners.get(topic) === own) this.#listeners.delete(topic)
    }
  }

  /** Calls the listener for a user whose sign-ins or roles have changed, before any later change is announced. */
  listenToPeople(listener: (userId: number) => void): () => void {
    this.#peopleListeners.add(listener)
    return () => void this.#peopleListeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#endListening?.()
    await this.#loop.stop()
    await this.#notifying.stop()
  }

  async #read(): Promise<void> {
    if (this.#first === undefined) {
      const { first } = await findJournalEnds(this.#ctx.db)
      this.#first = this.#last = first
    }
    for (let isMore = true; isMore; ) {
      const entries = await listJournal(this.#ctx.db, this.#last, PAGE)
      isMore = entries.length === PAGE
      for (const notify of this.#add(entries)) this.#pending.add(notify)
      if (this.#pending.size > 0) this.#notifying.wake()
    }
    this.#forgetOld()
  }

  async #notify(): Promise<void> {
    const pending = this.#pending
    this.#pending = new Set()
    for (const notify of pending) {
      await yieldToRequests()
      notify()
    }
  }

  #add(entries: readonly JournalEntry[]): readonly (() => void)[] {
    const [next] = entries
    // Entries were deleted before they were read: what is in memory starts anew.
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
    // Subscribers before it have to fetch anew.
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

/** A delivery is announced as a change of its project. */
const recordOf = ({ about, id, position, parentId }: JournalEntry): string =>
  about === 'delivery' ? `project ${parentId} null` : `${about} ${id} ${position}`
