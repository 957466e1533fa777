// Keeps WebSockets open through the edge and talks on them all the time; opens the next one when one ends.
import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { RequestTarget } from './requests.ts'

/** The version that held it, and when it ended. */
type EndedSocket = { readonly version: string; readonly at: number }

export type SocketFigures = {
  readonly opened: number
  readonly messages: number
  readonly ended: readonly EndedSocket[]
  /** Sockets that could not be opened or did not answer, each with its time. */
  readonly failed: readonly string[]
}

export type HeldSockets = { stop(): Promise<SocketFigures> }

const MESSAGE_EVERY_MS = 200
const TIMEOUT_MS = 120_000

export function holdSockets(target: RequestTarget, count: number): HeldSockets {
  const stopper = new AbortController()
  const figures = { opened: 0, messages: 0, ended: [] as EndedSocket[], failed: [] as string[] }

  const hold = async (): Promise<void> => {
    while (!stopper.signal.aborted) {
      try {
        const socket = await open(target)
        figures.opened++
        await speak(socket)
      } catch (error) {
        figures.failed.push(`${new Date().toISOString()}: ${error}`)
        await pause(MESSAGE_EVERY_MS)
      }
    }
  }
  const speak = async (socket: Duplex): Promise<void> => {
    const { say, endedAt } = converse(socket)
    let version = ''
    try {
      for (let number = 0; !stopper.signal.aborted; number++) {
        const answer = await say(String(number))
        if (answer === undefined) {
          figures.ended.push({ version, at: endedAt() })
          return
        }
        const [first = '', echoed] = answer.split(': ')
        if (echoed !== String(number) || (version !== '' && first !== version))
          throw new Error(`${version} was asked for ${number} and answered ${answer}`)
        version = first
        figures.messages++
        await pause(MESSAGE_EVERY_MS)
      }
      // Closes like a browser: the application answers, and both sides end.
      socket.end(Buffer.from([0x88, 0x80, 0, 0, 0, 0]))
    } finally {
      socket.destroy()
    }
  }
  const holders = Promise.all(Array.from({ length: count }, hold))
  return {
    stop: async () => {
      stopper.abort()
      await holders
      return figures
    },
  }
}

async function open({ port, host }: RequestTarget): Promise<Duplex> {
  const headers = { host, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': btoa('sixteen letters!') }
  const asked = request({ host: '127.0.0.1', port, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  asked.end()
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>()
  asked.once('upgrade', (_answer, socket) => resolve(socket))
  asked.once('response', (answer) => {
    answer.resume()
    reject(new Error(`a WebSocket was answered with ${answer.statusCode}`))
  })
  asked.once('error', reject)
  return promise
}

/** Short text frames back and forth, one at a time; undefined once the other side has closed. */
function converse(socket: Duplex) {
  let endedAt: number | undefined
  let hear: (answer: string | undefined) => void = () => undefined
  const end = (): void => {
    endedAt ??= Date.now()
    hear(undefined)
  }
  socket.on('data', (frame: Buffer) => hear(frame.subarray(2).toString()))
  socket.on('end', end)
  socket.on('close', end)
  socket.on('error', end)
  return {
    endedAt: () => endedAt ?? Date.now(),
    say: (text: string): Promise<string | undefined> => {
      const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
      const silence = setTimeout(() => reject(new Error('a WebSocket did not answer')), TIMEOUT_MS)
      hear = resolve
      if (endedAt !== undefined) resolve(undefined)
      else socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
      return promise.finally(() => clearTimeout(silence))
    },
  }
}
