// Requests at a steady rate through the edge, a tenth of them slow and a fifth with a body; checks every response.
import { Agent, request } from 'node:http'

export type RequestTarget = {
  readonly port: number
  readonly host: string
  /** Of the edge, where that is not on this machine. */
  readonly address?: string
}

/** For the requests that one version answered. Times are those of Date.now(). */
type SeenVersion = { requests: number; firstAnsweredAt: number; lastSentAt: number }

export type RequestFigures = {
  readonly sent: number
  readonly slow: number
  /** Not sent, because too many others were unanswered: the machine did not keep up with the rate. */
  readonly heldBack: number
  /** Requests without a 200, each with its time and the reason. */
  readonly failed: readonly string[]
  readonly versions: ReadonlyMap<string, SeenVersion>
  readonly longestMs: number
}

type Requests = { stop(): Promise<RequestFigures> }

const TICK_MS = 10
const SLOW_EVERY = 10
const BODY_EVERY = 5
const TIMEOUT_MS = 120_000
/** Limits a run that is never stopped: half an hour at 200 requests/s. */
const MOST_REQUESTS = 360_000
/** Requests of at most this time may be unanswered: otherwise a busy machine would queue them for longer than visitors wait. */
const UNANSWERED_SECONDS = 0.5

export function sendRequests(target: RequestTarget, perSecond: number): Requests {
  // Closes idle connections before the other side does, so that no request meets a closing connection.
  const agent = new Agent({ keepAlive: true, timeout: 30_000 })
  const versions = new Map<string, SeenVersion>()
  const failed: string[] = []
  const underWay = new Set<Promise<void>>()
  const began = performance.now()
  let sent = 0
  let slow = 0
  let heldBack = 0
  let longestMs = 0

  const sendOne = async (number: number): Promise<void> => {
    const slowMs = number % SLOW_EVERY === 0 ? 1000 + ((number * 37) % 1001) : 0
    if (slowMs > 0) slow++
    const sentAt = Date.now()
    try {
      const body = number % BODY_EVERY === 3 ? 'x'.repeat(2000) : undefined
      const version = await answerOf(target, agent, { slowMs, body })
      const answeredAt = Date.now()
      longestMs = Math.max(longestMs, answeredAt - sentAt - slowMs)
      noteAnswer(versions, version, { sentAt, answeredAt })
    } catch (error) {
      const kind = slowMs > 0 ? `, ${slowMs} ms slow` : ''
      failed.push(`sent ${new Date(sentAt).toISOString()}${kind}, after ${Date.now() - sentAt} ms: ${error}`)
    }
  }
  const timer = setInterval(() => {
    const due = Math.min(Math.floor(((performance.now() - began) / 1000) * perSecond), MOST_REQUESTS)
    while (sent + heldBack < due) {
      if (underWay.size >= perSecond * UNANSWERED_SECONDS) {
        heldBack++
        continue
      }
      const one: Promise<void> = sendOne(++sent).finally(() => underWay.delete(one))
      underWay.add(one)
    }
  }, TICK_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(underWay)
      agent.destroy()
      return { sent, slow, heldBack, failed, versions, longestMs }
    },
  }
}

/** Adds up several targets that answer with the same versions. */
export function together(all: readonly RequestFigures[]): RequestFigures {
  const versions = new Map<string, SeenVersion>()
  for (const [version, seen] of all.flatMap((one) => [...one.versions])) {
    const known = versions.get(version)
    versions.set(version, {
      requests: seen.requests + (known?.requests ?? 0),
      firstAnsweredAt: Math.min(seen.firstAnsweredAt, known?.firstAnsweredAt ?? seen.firstAnsweredAt),
      lastSentAt: Math.max(seen.lastSentAt, known?.lastSentAt ?? 0),
    })
  }
  return {
    sent: all.reduce((sum, { sent }) => sum + sent, 0),
    slow: all.reduce((sum, { slow }) => sum + slow, 0),
    heldBack: all.reduce((sum, { heldBack }) => sum + heldBack, 0),
    failed: all.flatMap(({ failed }) => failed),
    versions,
    longestMs: Math.max(...all.map(({ longestMs }) => longestMs)),
  }
}

function noteAnswer(
  versions: Map<string, SeenVersion>,
  version: string,
  { sentAt, answeredAt }: { sentAt: number; answeredAt: number },
): void {
  const seen = versions.get(version) ?? { requests: 0, firstAnsweredAt: answeredAt, lastSentAt: sentAt }
  versions.set(version, {
    requests: seen.requests + 1,
    firstAnsweredAt: Math.min(seen.firstAnsweredAt, answeredAt),
    lastSentAt: Math.max(seen.lastSentAt, sentAt),
  })
}

type SentRequest = { readonly slowMs: number; readonly body: string | undefined }

function answerOf(
  { port, host, address = '127.0.0.1' }: RequestTarget,
  agent: Agent,
  { slowMs, body }: SentRequest,
): Promise<string> {
  const path = slowMs > 0 ? `/?slow=${slowMs}` : '/'
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const asked = request({ host: address, port, path, method, agent, signal, headers: { host } }, async (res) => {
      try {
        let text = ''
        for await (const bytes of res) text += bytes
        if (res.statusCode === 200) resolve(text)
        else reject(new Error(`answered ${res.statusCode}: ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`))
      } catch (error) {
        reject(error)
      }
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
