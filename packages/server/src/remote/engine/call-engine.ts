// Requests to the Docker Engine of this machine over its socket, for what docker itself cannot do without a terminal.
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** The Engine refused, or could not be reached. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
  readonly status: number | undefined

  constructor(sentence: string, status?: number) {
    super(sentence)
    this.status = status
  }
}

type EngineRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly signal?: AbortSignal
}

/** Throws EngineFault unless the Engine agrees. */
export async function callEngine(socketPath: string, wanted: EngineRequest): Promise<string> {
  return readAnswer(await beginCall(socketPath, wanted))
}

/** The answer as soon as it begins: of some requests the body comes much later. */
export function beginCall(socketPath: string, { method, path, body, signal }: EngineRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ socketPath, method, path, headers: headersOf(body), ...(signal && { signal }) }, resolve)
      .on('error', (error) => reject(unreached(error)))
      .end(body && JSON.stringify(body))
  })
}

const headersOf = (body: object | undefined) => (body ? { 'content-type': 'application/json' } : {})

export async function readAnswer(response: IncomingMessage): Promise<string> {
  const { statusCode: status = 0 } = response
  const body = await text(response).catch((error: unknown) => Promise.reject(unreached(error)))
  // 304: it is as wanted already.
  if (status >= 300 && status !== 304) throw new EngineFault(messageOf(body), status)
  return body
}

/** A connection that carries bytes in both directions from then on. */
export function upgradeCall(socketPath: string, { method, path, body }: EngineRequest): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = { ...headersOf(body), connection: 'Upgrade', upgrade: 'tcp' }
    request({ socketPath, method, path, headers })
      .on('upgrade', (_response, socket: Socket, first) => {
        if (first.length > 0) socket.unshift(first)
        resolve(socket)
      })
      .on('response', (response) => {
        readAnswer(response).then(
          () => reject(new EngineFault('The Engine opens no connection to the container')),
          reject,
        )
      })
      .on('error', (error) => reject(unreached(error)))
      .end(body && JSON.stringify(body))
  })
}

const unreached = (error: unknown): EngineFault =>
  new EngineFault(`Docker cannot be reached: ${error instanceof Error ? error.message : String(error)}`)

/** `{"message":"…"}`, in one line. */
function messageOf(body: string): string {
  const [, message = body] = /"message":"((?:[^"\\]|\\.)*)"/.exec(body) ?? []
  return message.slice(0, 500)
}
