// What a reader is subscribed to, how far it has come in each topic, and which messages are for it.
import {
  isOutputTopic,
  type LiveMessage,
  type LiveOutputOptions,
  type LivePosition,
  type LiveRequest,
  LiveTopic,
} from '../live.ts'
import { LogPosition } from './log-position.ts'
import { OutputPosition } from './output-position.ts'
import { readMessages } from './read-message.ts'
import { RecordPosition } from './record-position.ts'

type MessageOf<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type }>
/** `topic` is that of the subscription that was refused. */
export type LiveRefusal = MessageOf<'error'> & { readonly topic: LiveTopic | null }
export type TopicMessage = MessageOf<'subscribed' | 'event' | 'lagged' | 'unsubscribed'> | LiveRefusal

type Subscription = {
  readonly topic: LiveTopic
  readonly position: LogPosition | RecordPosition | OutputPosition
  readonly options: LiveOutputOptions | undefined
  /** That of the last request; an answer to an earlier one is not for this subscription. */
  id: string
  isConfirmed: boolean
  /** Where output was missing that was asked for once more. */
  gapAt: number | undefined
}
type Send = (request: LiveRequest) => void

export class Subscriptions {
  readonly #byTopic = new Map<LiveTopic, Subscription>()
  readonly #leaving = new Set<string>()
  #send: Send | undefined
  #requests = 0
  #wake: (() => void) | undefined

  /** A topic that is subscribed to already is left as it is. */
  add(topic: LiveTopic, since?: LivePosition, options?: LiveOutputOptions): void {
    if (!LiveTopic.safeParse(topic).success) throw new RangeError(`${JSON.stringify(topic)} is not a topic`)
    if (this.#byTopic.has(topic)) return
    const position = positionOf(topic, since, options)
    const subscription = { topic, position, options, id: '', isConfirmed: false, gapAt: undefined }
    this.#byTopic.set(topic, subscription)
    this.#ask(subscription)
    this.#wake?.()
  }

  remove(topic: LiveTopic): void {
    if (!this.#byTopic.delete(topic) || !this.#send) return
    const id = this.#nextId()
    this.#leaving.add(id)
    this.#send({ type: 'unsubscribe', id, topic })
  }

  /** Returns when there is something to connect for. */
  async wanted(): Promise<void> {
    while (this.#byTopic.size === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** A new connection: every topic goes on from where its reader is. */
  attach(send: Send): void {
    this.#send = send
    for (const subscription of this.#byTopic.values()) this.#ask(subscription)
  }

  detach(): void {
    this.#send = undefined
    this.#leaving.clear()
  }

  /** What the reader gets of a message. The positions move on with it, so it must be given right away. */
  *take(text: string): Generator<TopicMessage, void, undefined> {
    for (const { message, text: own } of readMessages(text)) yield* this.#take(message, own)
  }

  #take(message: LiveMessage | undefined, text: string): readonly TopicMessage[] {
    if (message?.type === 'subscribed') return this.#begin(message)
    if (message?.type === 'event') return this.#takeEvent(message, text)
    if (message?.type === 'lagged') return this.#takeLagged(message)
    if (message?.type === 'unsubscribed') return this.#takeUnsubscribed(message)
    if (message?.type === 'current') this.#moveOn(message)
    return message?.type === 'error' ? this.#takeRefusal(message) : []
  }

  #begin(message: MessageOf<'subscribed'>): readonly TopicMessage[] {
    const subscription = this.#byTopic.get(message.topic)
    if (subscription?.id !== message.id) return []
    // A repeated confirmation, since the reader was too slow: what it has missed is not known any more.
    if (subscription.isConfirmed && message.recovered) return []
    subscription.isConfirmed = true
    subscription.position.begin(message)
    return [message]
  }

  #takeEvent(message: MessageOf<'event'>, text: string): readonly TopicMessage[] {
    const subscription = this.#confirmed(message.topic)
    if (subscription?.position instanceof RecordPosition)
      return subscription.position.admit(message, text) ? [message] : []
    if (subscription?.position instanceof LogPosition && message.event === 'log.append') {
      return this.#takeOutput(subscription, subscription.position, message)
    }
    if (subscription?.position instanceof OutputPosition) return this.#takeLine(subscription.position, message)
    return []
  }

  #takeLine(position: OutputPosition, message: MessageOf<'event'>): readonly TopicMessage[] {
    if (message.event === 'output.append') return position.admit(message.data) ? [message] : []
    // Nothing follows: the next connection must not ask for it again.
    if (message.event === 'output.end') this.#byTopic.delete(message.topic)
    return message.event === 'output.end' || message.event === 'output.current' ? [message] : []
  }

  #takeOutput(
    subscription: Subscription,
    position: LogPosition,
    message: Extract<MessageOf<'event'>, { event: 'log.append' }>,
  ): readonly TopicMessage[] {
    const { topic, data } = message
    const piece = position.compare(data)
    if (piece === 'old') return []
    const from = position.since?.seq ?? 0
    if ('gap' in piece && subscription.gapAt !== from) {
      // Asks for it once more. If it is missing again, the reader learns where the output goes on.
      subscription.gapAt = from
      this.#send?.({ type: 'unsubscribe', id: this.#nextId(), topic })
      this.#ask(subscription)
      return []
    }
    position.moveTo(data.offset)
    if ('gap' in piece) return [{ type: 'lagged', topic, seq: piece.start, to: data.offset }, message]
    return [piece.text === data.text ? message : { ...message, data: { ...data, text: piece.text } }]
  }

  #takeLagged(message: MessageOf<'lagged'>): readonly TopicMessage[] {
    const subscription = this.#confirmed(message.topic)
    if (!subscription) return []
    if (subscription.position instanceof LogPosition) subscription.position.moveTo(message.seq)
    return [message]
  }

  /** Nothing of the records has changed up to there, however long they were quiet. */
  #moveOn(message: MessageOf<'current'>): void {
    for (const { position: own, isConfirmed } of this.#byTopic.values())
      if (isConfirmed && own instanceof RecordPosition) own.moveOn(message)
  }

  #takeUnsubscribed(message: MessageOf<'unsubscribed'>): readonly TopicMessage[] {
    if (message.id !== null) return this.#leaving.delete(message.id) ? [message] : []
    return this.#confirmed(message.topic) && this.#byTopic.delete(message.topic) ? [message] : []
  }

  /** A subscription that was refused is over: the reader knows the reason, and whether to subscribe again. */
  #takeRefusal(message: MessageOf<'error'>): readonly TopicMessage[] {
    if (message.id === null) return [{ ...message, topic: null }]
    const refused = [...this.#byTopic.values()].find(({ id }) => id === message.id)
    if (!refused) return []
    this.#byTopic.delete(refused.topic)
    return [{ ...message, topic: refused.topic }]
  }

  #confirmed(topic: LiveTopic): Subscription | undefined {
    const subscription = this.#byTopic.get(topic)
    return subscription?.isConfirmed ? subscription : undefined
  }

  #ask(subscription: Subscription): void {
    subscription.id = this.#nextId()
    subscription.isConfirmed = false
    const { id, topic, position, options } = subscription
    const { since } = position
    this.#send?.({ type: 'subscribe', id, topic, ...(since && { since }), ...(options && { options }) })
  }

  #nextId(): string {
    return String(++this.#requests)
  }
}

function positionOf(
  topic: LiveTopic,
  since: LivePosition | undefined,
  options: LiveOutputOptions | undefined,
): Subscription['position'] {
  if (isOutputTopic(topic)) return new OutputPosition(since, options)
  return topic.endsWith(':log') ? new LogPosition(since) : new RecordPosition(since)
}
