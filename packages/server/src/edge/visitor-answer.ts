// The response of an environment's address to a visitor: requested once after a deployment.
import { request } from 'node:http'
import { LOOPBACK } from '../domain/loopback.ts'

/** `text` is the start of the body. */
export type VisitorAnswer = { readonly status: number; readonly text: string }

const MOST_BYTES = 8 * 1024
export const VISIT_SECONDS = 2
export const VISITOR_NAME = 'Shipway (address check after a deployment)'

type Visit = { readonly domain: string; readonly port: number }

/**
 * Queries an application on this machine with the headers that the embedded edge sets, without the environment's password, which only the
 * edge checks. Undefined if there is no response in time.
 */
export function visitApplication({ domain, port }: Visit): Promise<VisitorAnswer | undefined> {
  return new Promise((resolve) => {
    const headers = {
      Host: domain,
      'User-Agent': VISITOR_NAME,
      Accept: 'text/html, */*',
      Connection: 'close',
      'X-Forwarded-For': LOOPBACK,
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Host': domain,
    }
    const signal = AbortSignal.timeout(VISIT_SECONDS * 1000)
    const visit = request({ host: LOOPBACK, port, path: '/', headers, agent: false, signal })
    let status: number | undefined
    const pieces: Buffer[] = []
    // The status is enough if the body is slow or cut off. Without a status, a visitor gets no response, whatever the reason.
    const end = (): void => {
      const text = Buffer.concat(pieces).subarray(0, MOST_BYTES).toString()
      resolve(status === undefined ? undefined : { status, text })
      visit.destroy()
    }
    for (const event of ['error', 'close'] as const) visit.on(event, end)
    visit.on('upgrade', (_answer, socket) => socket.destroy())
    visit.on('response', (answer) => {
      status = answer.statusCode
      let length = 0
      answer.on('data', (bytes: Buffer) => {
        pieces.push(bytes)
        length += bytes.length
        if (length >= MOST_BYTES) end()
      })
      for (const event of ['end', 'error'] as const) answer.on(event, end)
    })
    visit.end()
  })
}

/** Parses the start of a raw response, after any interim responses. */
export function readVisitorAnswer(wire: string): VisitorAnswer | undefined {
  const end = wire.indexOf(HEAD_END)
  const head = end < 0 ? wire : wire.slice(0, end)
  const rest = end < 0 ? '' : wire.slice(end + HEAD_END.length)
  const status = Number(/^HTTP\/[0-9.]+ ([1-9]\d\d)\b/.exec(head)?.[1])
  if (Number.isNaN(status)) return undefined
  return status < 200 ? readVisitorAnswer(rest) : { status, text: rest }
}

const HEAD_END = '\r\n\r\n'
