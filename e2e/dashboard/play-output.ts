// Plays the platform for the topic of service logs, so that a test decides what comes and when. Every other topic is the platform's.
import type { LiveOutputOptions, LivePosition } from '@shipway/api'
import type { Page, WebSocketRoute } from 'playwright-core'

export type OutputRequest = {
  readonly options: LiveOutputOptions
  readonly since: LivePosition | undefined
  confirm(): void
  /** Everything that was printed before was sent. */
  catchUp(): void
  refuse(code: string, detail: string): void
  /** Lines as one frame. Times count in milliseconds from the first of January 2026, unless they are given. */
  print(lines: readonly PlayedLine[]): void
  lag(fromMs: number, toMs: number): void
  end(): void
  /** The user may not see the topic any more. */
  revoke(): void
  /** The connection breaks. */
  cut(): void
}
type PlayedLine = { readonly service: string; readonly text: string; readonly ms: number }

/** `requests` receives each subscription to the topic. */
export async function playOutput(page: Page, environmentId: number): Promise<{ next(): Promise<OutputRequest> }> {
  const topic = `environment:${environmentId}:output`
  const waiting: ((request: OutputRequest) => void)[] = []
  const come: OutputRequest[] = []
  await page.routeWebSocket('**/api/live', (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const request = JSON.parse(String(message))
      if (request.topic !== topic) return server.send(message)
      if (request.type !== 'subscribe') return
      const played = requestOf(socket, request, environmentId)
      const reader = waiting.shift()
      if (reader) reader(played)
      else come.push(played)
    })
    server.onMessage((message) => socket.send(message))
  })
  return {
    next: () => {
      const first = come.shift()
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve))
    },
  }
}

type Subscribe = {
  readonly id: string
  readonly topic: string
  readonly since?: LivePosition
  readonly options?: LiveOutputOptions
}

function requestOf(socket: WebSocketRoute, { id, topic, since, options }: Subscribe, environmentId: number) {
  const send = (...messages: readonly object[]): void =>
    socket.send(messages.map((message) => JSON.stringify(message)).join('\n'))
  const event = (name: string, ms: number, data: object) => ({
    type: 'event',
    topic,
    seq: (FIRST_MS + ms) * 1_000,
    event: name,
    at: timeOf(ms),
    data: { environment_id: environmentId, ...data },
  })
  return {
    options: options ?? {},
    since,
    confirm: () => send({ type: 'subscribed', id, topic, epoch: 'played', seq: 0, recovered: since !== undefined }),
    catchUp: () => send(event('output.current', 0, {})),
    refuse: (code: string, detail: string) => send({ type: 'error', id, code, detail }),
    print: (lines: readonly PlayedLine[]) =>
      send(...lines.map(({ ms, ...line }) => event('output.append', ms, { ...line, time: timeOf(ms) }))),
    lag: (fromMs: number, toMs: number) =>
      send({ type: 'lagged', topic, seq: (FIRST_MS + fromMs) * 1_000, to: (FIRST_MS + toMs) * 1_000 }),
    end: () => send(event('output.end', 0, {})),
    revoke: () => send({ type: 'unsubscribed', id: null, topic }),
    cut: () => void socket.close({ code: 1012 }),
  }
}

const FIRST_MS = Date.parse('2026-01-01T12:00:00Z')
/** With nanoseconds, as the engine prints times. */
export const timeOf = (ms: number): string => `${new Date(FIRST_MS + ms).toISOString().slice(0, 23)}000001Z`
