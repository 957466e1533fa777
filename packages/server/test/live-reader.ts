// A reader of the live channel over a real connection: what it was told so far, and what comes next.
import { once } from 'node:events'
import { type LiveEvent, LiveMessage, type LiveOutputOptions, type LiveRequest } from '@shipway/api/live'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'

export type LiveReader = {
  readonly socket: WebSocket
  readonly messages: readonly LiveMessage[]
  /** The code that the platform closes with. */
  readonly closed: Promise<number>
  send(request: LiveRequest | string | Buffer): void
  /** The first message that fits and was not given yet, of those that came and those that will. */
  next<Message extends LiveMessage>(fits: (message: LiveMessage) => message is Message): Promise<Message>
  event<Name extends LiveEvent['event']>(name: Name): Promise<Extract<LiveEvent, { event: Name }>>
  subscribe(
    topic: string,
    since?: { epoch: string; seq: number },
    options?: LiveOutputOptions,
  ): Promise<Extract<LiveMessage, { type: 'subscribed' }>>
}

type Opening = {
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly protocols?: readonly string[]
  readonly query?: string
}

/** Rejects with the status of the answer where the upgrade is refused. */
export async function openLiveReader(app: FastifyInstance, opening: Opening = {}): Promise<LiveReader> {
  const { socket, messages } = connect(app, opening)
  const closed = once(socket, 'close').then(([code]) => Number(code))
  const taken = new Set<LiveMessage>()
  const next: LiveReader['next'] = async (fits) => {
    for (;;) {
      const message = messages.filter(fits).find((one) => !taken.has(one))
      if (message) {
        taken.add(message)
        return message
      }
      if (socket.readyState === socket.CLOSED) throw new Error(`Closed with ${await closed}`)
      await Promise.race([once(socket, 'message'), closed])
    }
  }
  const send: LiveReader['send'] = (request) =>
    socket.send(typeof request === 'string' || Buffer.isBuffer(request) ? request : JSON.stringify(request))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => reject(new Refused(response.statusCode ?? 0)))
  })
  return {
    socket,
    messages,
    closed,
    send,
    next,
    event: <Name extends LiveEvent['event']>(name: Name) => next(isEvent(name)),
    subscribe: (topic, since, options) => {
      send({ type: 'subscribe', id: `to ${topic}`, topic, ...(since && { since }), ...(options && { options }) })
      return next(isOfType('subscribed'))
    },
  }
}

export class Refused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`Refused with ${status}`)
    this.status = status
  }
}

export const isOfType =
  <Type extends LiveMessage['type']>(type: Type) =>
  (message: LiveMessage): message is Extract<LiveMessage, { type: Type }> =>
    message.type === type

const isEvent =
  <Name extends LiveEvent['event']>(name: Name) =>
  (message: LiveMessage): message is Extract<LiveEvent, { event: Name }> =>
    message.type === 'event' && message.event === name

function connect(app: FastifyInstance, { token, headers, protocols = ['service.live.v1'], query = '' }: Opening) {
  const address = app.server.address()
  const url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/live${query}`
  const socket = new WebSocket(url, [...protocols], {
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    perMessageDeflate: false,
  })
  const messages: LiveMessage[] = []
  // A frame holds one message, or several, each on a line of its own.
  socket.on('message', (data) => {
    for (const text of String(data).split('\n')) messages.push(LiveMessage.parse(JSON.parse(text)))
  })
  return { socket, messages }
}
