// The subscriptions of a reader. Each topic is followed on its own until it is ended.
import type { LivePosition, LiveRequest, LiveTopic } from '@shipway/api/live'
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findLogSource, mayReadLogs } from '../../operations/access/find-log-source.ts'
import type { SharedOutputs } from '../logs/shared-output.ts'
import type { EnvironmentOutputs } from '../service-logs/environment-outputs.ts'
import { type Descriptions, eventOf } from './descriptions.ts'
import { type FollowState, followRecords } from './follow-records.ts'
import { followServiceLogs } from './follow-service-logs.ts'
import { type OpenedTopic, openTopic } from './open-topic.ts'
import { NO_SUCH_TOPIC } from './read-request.ts'
import { sendLog } from './send-log.ts'
import type { SocketWriter } from './socket-writer.ts'
import type { Tail } from './tail.ts'
import { readTopic, type Topic } from './topics.ts'

const MOST_TOPICS = 100
/** How much the clocks of the platform and of a server may differ. */
const CLOCKS_DIFFER_MS = 5_000

const NEEDS_SSH = {
  code: 'insufficient_scope',
  detail: 'Service logs need a token with the scope ssh. Create one in your profile, under Personal tokens',
}

/** Shared by all readers. */
export type LiveSources = {
  readonly ctx: Context
  readonly tail: Tail
  readonly descriptions: Descriptions
  readonly outputs: SharedOutputs
  readonly serviceLogs: EnvironmentOutputs
  /** Limits how many readers query the records at once: when a thousand reconnect together, requests share the database with them. */
  readonly limitQueries: <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>
}

export type Subscriber = {
  readonly actor: Actor | undefined
  readonly writer: SocketWriter
  /** Resolves when no check of the sign-in is running. */
  checksFinished(): Promise<void>
  fail(error: unknown): void
}

type Refusal = { readonly code: string; readonly detail: string; readonly known?: readonly string[] | undefined }
type SubscribeRequest = Extract<LiveRequest, { type: 'subscribe' }>
type Subscription = {
  readonly organizationId: number
  readonly standing: FollowState
  /** Of service logs, seeing the environment is not enough. */
  readonly isSeen?: (actor: Actor) => boolean
  end(): void
}

export class Subscriptions {
  readonly #sources: LiveSources
  readonly #reader: Subscriber
  readonly #byTopic = new Map<LiveTopic, Subscription>()
  #isOver = false
  idleSince: number

  constructor(sources: LiveSources, reader: Subscriber) {
    this.#sources = sources
    this.#reader = reader
    this.idleSince = sources.ctx.clock()
  }

  get areIdle(): boolean {
    return this.#byTopic.size === 0
  }

  async add(request: SubscribeRequest): Promise<void> {
    const topic = readTopic(request.topic)
    // Subscribing again starts over.
    this.#drop(topic.name)
    if (this.#byTopic.size >= MOST_TOPICS) {
      const detail = `A connection has at most ${MOST_TOPICS} topics. End some, or open another`
      return this.#refuse(request, { code: 'too_many_topics', detail })
    }
    if (topic.kind === 'output') return this.#addOutput(request, topic)
    const { seq, opened } = await this.#sources.limitQueries(this.#reader.actor?.userId ?? 0, async () => {
      await this.#sources.tail.refresh()
      // Before the record is read, so that later changes are sent.
      const { last } = this.#sources.tail
      return { seq: last, opened: await this.#open(topic) }
    })
    if (!opened) return this.#refuse(request, NO_SUCH_TOPIC)
    if (opened.refusal) return this.#refuse(request, { code: opened.refusal.code, detail: opened.refusal.message })
    const begin = { ...request, topic, opened, seq }
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

  /** Ends the topics that the reader may no longer see. */
  endUnseen(actor: Actor): void {
    for (const [topic, { organizationId, isSeen }] of this.#byTopic)
      if (!actor.roles.has(organizationId) || isSeen?.(actor) === false) this.end(topic, null)
  }

  /** A reader that reconnects later resumes from this number, even if its topics did not change for hours. */
  sendPosition(): void {
    const { writer } = this.#reader
    if (this.areIdle || ![...this.#byTopic.values()].every(({ standing }) => standing.isUpToDate)) return
    writer.send({ type: 'current', epoch: this.#epoch, seq: this.#sources.tail.last })
  }

  get #epoch(): string {
    return this.#sources.ctx.installationId
  }

  #open(topic: Topic): Promise<OpenedTopic | undefined> {
    return this.#openAs((actor) => openTopic(this.#sources.ctx, actor, topic))
  }

  /** Opens a topic as the reader's current actor; once more if the actor has changed meanwhile. */
  async #openAs<Opened>(open: (actor: Actor) => Promise<Opened>): Promise<Opened | undefined> {
    for (;;) {
      const { actor } = this.#reader
      if (!actor) return undefined
      const opened = await this.#sources.tail.asOfNow(() => open(actor))
      await this.#reader.checksFinished()
      if (this.#reader.actor === actor) return opened
    }
  }

  async #addOutput(request: SubscribeRequest, topic: Topic): Promise<void> {
    const { ctx, serviceLogs, limitQueries } = this.#sources
    const { id, since, options = {} } = request
    const wanted = { id: topic.id, serverId: options.server_id }
    const opened = await limitQueries(this.#reader.actor?.userId ?? 0, () =>
      this.#openAs((actor) => findLogSource(ctx, actor, wanted)),
    )
    if (this.#isOver) return
    if (!opened || !this.#reader.actor) return this.#refuse(request, NO_SUCH_TOPIC)
    const { organizationId } = opened
    const isSeen = (actor: Actor): boolean => mayReadLogs(actor, organizationId)
    if (!isSeen(this.#reader.actor)) return this.#refuse(request, NEEDS_SSH)
    const recovered = since !== undefined && since.epoch === this.#epoch
    const from = recovered ? since.seq : undefined
    const following = followServiceLogs({ ctx, serviceLogs }, opened, {
      topic,
      options,
      from,
      writer: this.#reader.writer,
    })
    if ('code' in following) return this.#refuse(request, following)
    const seq = from ?? (ctx.clock() - CLOCKS_DIFFER_MS) * 1000
    this.#reader.writer.send({ type: 'subscribed', id, topic: topic.name, epoch: this.#epoch, seq, recovered })
    this.#keep(topic.name, { organizationId, standing: { isUpToDate: true }, isSeen }, async (signal) => {
      const end = await following.send(signal)
      if (signal.aborted) return
      if (end.kind === 'gone') return this.end(topic.name, null)
      this.#drop(topic.name)
      await this.#reader.writer.room()
      if (end.kind === 'fault') return this.#refuse(request, end)
      const event = { event: 'output.end', data: { environment_id: topic.id } } as const
      this.#reader.writer.send(eventOf(event, topic.name, { seq, at: ctx.clock() }))
    })
  }

  #refuse({ id }: Pick<SubscribeRequest, 'id'>, { code, detail, known }: Refusal): void {
    this.#reader.writer.send({ type: 'error', id, code, detail, ...(known && { known: [...known] }) })
  }

  #followLog({ id, topic, since, opened }: SubscriptionStart, length: number): void {
    const recovered = since !== undefined && since.epoch === this.#epoch && since.seq <= length
    const from = recovered ? since.seq : 0
    this.#reader.writer.send({ type: 'subscribed', id, topic: topic.name, epoch: this.#epoch, seq: from, recovered })
    const output = this.#sources.outputs.of(topic.id)
    const { writer } = this.#reader
    const { organizationId } = opened
    // The position in a log is the offset of the last byte, which is always known.
    this.#keep(topic.name, { organizationId, standing: { isUpToDate: true } }, async (signal) => {
      try {
        await sendLog({ topic: topic.name, output, from, writer, signal })
      } catch (error) {
        if (signal.aborted || !isLogExpired(error)) throw error
        // It was removed while it was read. The other topics of the connection go on.
        this.#drop(topic.name)
        await writer.room()
        this.#refuse({ id }, { code: error.code, detail: error.message })
      }
    })
  }

  #followTopic({ id, topic, since, opened, seq }: SubscriptionStart): void {
    const { tail } = this.#sources
    const recovered = since !== undefined && since.epoch === this.#epoch && tail.reaches(since.seq)
    const from = recovered ? since.seq : seq
    this.#sendSubscribed({ id, topic, seq: from, recovered }, recovered ? undefined : opened)
    const standing: FollowState = { isUpToDate: false }
    const { organizationId } = opened
    const { writer } = this.#reader
    const actorNow = () => this.#reader.actor
    this.#keep(topic.name, { organizationId, standing }, (signal) => {
      const resubscribe = () => this.#resubscribe({ id, topic, signal })
      return followRecords(this.#sources, {
        topic,
        organizationId,
        from,
        writer,
        signal,
        standing,
        actorNow,
        resubscribe,
      })
    })
  }

  async #resubscribe({
    id,
    topic,
    signal,
  }: Pick<SubscriptionAnswer, 'id' | 'topic'> & { signal: AbortSignal }): Promise<number> {
    await this.#reader.writer.room()
    const seq = this.#sources.tail.last
    const opened = await this.#open(topic)
    // Ended or subscribed to again meanwhile: that answer must not be undone.
    if (signal.aborted) return seq
    this.#sendSubscribed({ id, topic, seq, recovered: false }, opened)
    return seq
  }

  #sendSubscribed(begin: SubscriptionAnswer, opened: OpenedTopic | undefined): void {
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

const isLogExpired = (error: unknown): error is AppError => error instanceof AppError && error.code === 'log_expired'

type SubscriptionAnswer = {
  readonly id: string
  readonly topic: Topic
  readonly seq: number
  readonly recovered: boolean
}
type SubscriptionStart = Omit<SubscriptionAnswer, 'recovered'> & {
  readonly since?: LivePosition | undefined
  readonly opened: OpenedTopic
}
