// When a new version answers for the first time.
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const EVERY_MS = 10
const TIMEOUT_MS = 60_000

/** Resolves with the time at which an answer held that text. */
export async function untilAnswers(
  { port, host }: { readonly port: number; readonly host: string },
  text: string,
): Promise<number> {
  const end = performance.now() + TIMEOUT_MS
  while (performance.now() < end) {
    if ((await answerOf(port, host)).includes(text)) return performance.now()
    await delay(EVERY_MS)
  }
  throw new Error(`${host} did not answer ${JSON.stringify(text)} within a minute`)
}

/** Empty where there is none. */
function answerOf(port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, headers: { host } }, async (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (bytes: Buffer) => pieces.push(bytes))
      answer.on('close', () => resolve(Buffer.concat(pieces).toString()))
    })
    request.on('error', () => resolve(''))
  })
}
