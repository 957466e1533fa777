// One request to a receiver: only to the checked addresses, without following redirects, with limits on time and size.
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { lookupAmong } from '../network/checked-lookup.ts'
import { ReceiverFault } from './receiver-fault.ts'

/** How much of a response is kept; the rest is not read. */
const KEPT_BYTES = 1_024
/** From the first line of an answer on: its status says enough. */
const TEXT_MS = 2_000

type Call = {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export type ReceiverAnswer = {
  readonly status: number
  readonly bytes: Buffer
  readonly retryAfter: string | undefined
}

export function callReceiver({ url, addresses, headers, body, signal }: Call): Promise<ReceiverAnswer> {
  const options: RequestOptions = {
    method: 'POST',
    lookup: lookupAmong(addresses),
    agent: false,
    signal,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, options)
    // A server that switches protocols sends no response, and Node closes such a request silently.
    const closed = (): void => reject(new ReceiverFault('The receiver closed the connection without an answer'))
    // Node also emits errors after the response has begun; they add nothing then.
    request.on('error', reject).on('close', closed)
    request.on('response', (response) => {
      request.off('error', reject).on('error', () => undefined)
      request.off('close', closed)
      readBeginning(response, (bytes) => {
        resolve({ status: response.statusCode ?? 0, bytes, retryAfter: response.headers['retry-after'] })
        request.destroy()
      })
    })
    request.end(body)
  })
}

/** Gives what has come when the answer ends, breaks off, is long enough, or takes too long. */
function readBeginning(response: IncomingMessage, done: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const end = (): void => {
    clearTimeout(timer)
    response.off('data', take)
    done(Buffer.concat(chunks).subarray(0, KEPT_BYTES))
  }
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= KEPT_BYTES) end()
  }
  const timer = setTimeout(end, TEXT_MS)
  response.on('data', take).once('end', end).once('error', end).once('close', end)
}
