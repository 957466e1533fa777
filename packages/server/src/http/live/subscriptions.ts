// What a reader has subscribed to: each topic is told of by itself, until it is ended.
import type { LivePlace, LiveRequest, LiveTopic } from '@shipway/api/live'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { SharedOutputs } from '../logs/shared-output.ts'
import { type Descriptions, eventOf } from './descriptions.ts'
import { followRecords, type Standing } from './follow-records.ts'
import { type OpenedTopic, openTopic } from './open-topic.ts'
import { NO_SUCH_TOPIC } from './read-request.ts'
import { sendLog } from './send-log.ts'
import type { SocketWriter } from './socket-writer.ts'
import type { Tail } from './tail.ts'
import { readTopic, type Topic } from './topics.ts'

const MOST_TOPICS = 100

/** What all readers are told from. */
export type Sources = {
  readonly ctx: Context
  readonly tail: Tail
  readonly descriptions: Descriptions
  readonly outputs: SharedOutputs
  /** Few look into the records at once: when a thousand come back together, everybody else is in the same queue. */
  readonly look: <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>
}

export type Subscriber = {
  readonly actor: Actor | undefined
  readonly writer: SocketWriter
  /** Resolves when nobody is finding out anew who this is. */
  settled(): Promise<void>
  fail(error: unknown): void
}

type Wanted = Extract<LiveRequest, { type: 'subscribe' }>
type Subscription = { readonly organizationId: number; readonly standing: Standing; end(): void }

export class Subscriptions {
  readonly #sources: Sources
  readonly #reader: Subscriber
  readonly #byTopic = new Map<LiveTopic, Subscription>()
  #isOver = false
  idleSince: number

  constructor(sources: Sources, reader: Subscriber) {
    this.#sources = sources
    this.#reader = reader
    this.idleSince = sources.ctx.clock()
  }

  get areIdle(): boolean {
    return this.#byTopic.size === 0
  }

  async add(wanted: Wanted): Promise<void> {
    const topic = readTopic(wanted.topic)
    // Whoever subscribes again begins again.
    this.#drop(topic.name)
    if (this.#byTopic.size >= MOST_TOPICS) {
      const detail = `A connection has at most ${MOST_TOPICS} topics. End some, or open another`
      return this.#refuse(wanted, { code: 'too_many_topics', detail })
    }
    const { seq, opened } = await this.#sources.look(this.#reader.actor?.userId ?? 0, async () => {
      await this.#sources.tail.refresh()
      // Before the record is read: whatever comes later is told.
      const { last } = this.#sources.tail
      return { seq: last, opened: await this.#open(topic) }
    })
    if (!opened) return this.#refuse(wanted, NO_SUCH_TOPIC)
    const begin = { ...wanted, topic, opened, seq }
    if (typeof opened.now === 'number') this.#followLog(begin, opened.now)
    else this.#followTopic(begin)
  }

  end(topic: LiveTopic, id: string | null): void {
    this.#drop(topic)
    this.#reader.writer.send({ type: 'unsubscribed', id, topic })
  }

  /** The reader is gone. */
  endAll(): void {
    this.#isOver = true
    for (const { end } of this.#byTopic.values()) end()
    this.#byTopic.clear()
  }

  /** What the reader may not see any more. */
  endUnseen(actor: Actor): void {
    for (const [topic, { organizationId }] of this.#byTopic) if (!actor.roles.has(organizationId)) this.end(topic, null)
  }

  /** Whoever comes back later names this number, though nothing of its topics has changed for hours. */
  tellPlace(): void {
    const { writer } = this.#reader
    if (this.areIdle || ![...this.#byTopic.values()].every(({ standing }) => standing.isUpToDate)) return
    writer.send({ type: 'current', epoch: this.#epoch, seq: this.#sources.tail.last })
  }

  get #epoch(): string {
    return this.#sources.ctx.installationId
  }

  /** As whoever the reader is by the end of the look: who has changed meanwhile is looked at again. */
  async #open(topic: Topic): Promise<OpenedTopic | undefined> {
    for (;;) {
      const { actor } = this.#reader
      if (!actor) return undefined
      const { ctx, tail } = this.#sources
      const opened = await tail.asOfNow(() => openTopic(ctx, actor, topic))
      await this.#reader.settled()
      if (this.#reader.actor === actor) return opened
    }
  }

  #refuse({ id }: Wanted, fault: { readonly code: string; readonly detail: string }): void {
    this.#reader.writer.send({ type: 'error', id, ...fault })
  }

  #followLog({ id, topic, since, opened }: Begin, length: number): void {
    const recovered = since !== undefined && since.epoch === this.#epoch && since.seq <= length
    const from = recovered ? since.seq : 0
    this.#reader.writer.send({ type: 'subscribed', id, topic: topic.name, epoch: this.#epoch, seq: from, recovered })
    const output = this.#sources.outputs.of(topic.id)
    const { writer } = this.#reader
    // Its place is the offset of what was read last: it is always known.
    this.#keep(topic.name, { organizationId: opened.organizationId, standing: { isUpToDate: true } }, (signal) =>
      sendLog({ topic: topic.name, output, from, writer, signal }),
    )
  }

  #followTopic({ id, topic, since, opened, seq }: Begin): void {
    const { tail } = this.#sources
    const recovered = since !== undefined && since.epoch === this.#epoch && tail.reaches(since.seq)
    const from = recovered ? since.seq : seq
    this.#tellBegin({ id, topic, seq: from, recovered }, recovered ? undefined : opened)
    const standing: Standing = { isUpToDate: false }
    const { organizationId } = opened
    const { writer } = this.#reader
    const actorNow = () => this.#reader.actor
    this.#keep(topic.name, { organizationId, standing }, (signal) => {
      const beginAnew = () => this.#beginAnew({ id, topic, signal })
      return followRecords(this.#sources, {
        topic,
        organizationId,
        from,
        writer,
        signal,
        standing,
        actorNow,
        beginAnew,
      })
    })
  }

  async #beginAnew({ id, topic, signal }: Pick<Beginning, 'id' | 'topic'> & { signal: AbortSignal }): Promise<number> {
    await this.#reader.writer.room()
    const seq = this.#sources.tail.last
    const opened = await this.#open(topic)
    // Ended meanwhile, or subscribed to again: the answer to that one is not to be undone.
    if (signal.aborted) return seq
    this.#tellBegin({ id, topic, seq, recovered: false }, opened)
    return seq
  }

  #tellBegin(begin: Beginning, opened: OpenedTopic | undefined): void {
    const { id, topic, seq, recovered } = begin
    const at = this.#sources.ctx.clock()
    const now = opened && typeof opened.now !== 'number' ? opened.now : undefined
    const snapshot = now && { snapshot: eventOf(now, topic.name, { seq, at }) }
    this.#reader.writer.send({
      type: 'subscribed',
      id,
      topic: topic.name,
      epoch: this.#epoch,
      seq,
      recovered,
      ...snapshot,
    })
  }

  #keep(
    topic: LiveTopic,
    subscription: Omit<Subscription, 'end'>,
    follow: (signal: AbortSignal) => Promise<void>,
  ): void {
    if (this.#isOver) return
    const stopper = new AbortController()
    this.#byTopic.set(topic, { ...subscription, end: () => stopper.abort() })
    follow(stopper.signal).catch((error: unknown) => {
      if (!stopper.signal.aborted) this.#reader.fail(error)
    })
  }

  #drop(topic: LiveTopic): void {
    this.#byTopic.get(topic)?.end()
    this.#byTopic.delete(topic)
    this.idleSince = this.#sources.ctx.clock()
  }
}

type Beginning = { readonly id: string; readonly topic: Topic; readonly seq: number; readonly recovered: boolean }
type Begin = Omit<Beginning, 'recovered'> & { readonly since?: LivePlace | undefined; readonly opened: OpenedTopic }
