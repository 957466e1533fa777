// A git host that responds with anything: the call fails or returns what it read, and has no other effect.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostileApplication, openHostileApplication } from '../../../test/hostile-application.ts'
import { longestStopMs } from '../../../test/longest-stop.ts'
import { callHost } from './call-host.ts'

let host: HostileApplication
const uncaught: unknown[] = []
const hear = (error: unknown): void => void uncaught.push(error)
beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', hear)
  host = await openHostileApplication()
})
afterAll(async () => {
  await host.close()
  process.off('uncaughtExceptionMonitor', hear)
  expect(uncaught).toEqual([])
})

const call = (signal?: AbortSignal): Promise<unknown> =>
  callHost(
    `http://127.0.0.1:${host.port}`,
    { method: 'GET', path: '/' },
    { headers: {}, allowedNetworks: ['127.0.0.1'], signal },
  )

function answerWith(text: string, end: HostileApplication['answer']['end'] = 'end'): void {
  host.answer = { pieces: [Buffer.from(text, 'latin1')], end }
}

test.each([
  ['no JSON', 'HTTP/1.1 200 O\x01K\r\n\r\n{'],
  ['a 101', 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['a status of zero', 'HTTP/1.1 000 \r\n\r\n{}'],
  ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}`],
  ['half of its answer', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'],
  ['nothing', ''],
])('%s fails the call', async (_, text) => {
  answerWith(text)
  await expect(call()).rejects.toThrow()
})

test.each([
  ['ten megabytes of values', `[${'{},'.repeat(3_400_000)}1]`],
  ['levels without end', '['.repeat(9_000_000)],
  ['more than is read', '"'.repeat(11_000_000)],
])('%s fail the call without a wait', async (_, body) => {
  answerWith(`HTTP/1.1 200 OK\r\n\r\n${body}`)
  expect(await longestStopMs(() => expect(call()).rejects.toThrow())).toBeLessThan(200)
})

test('any response, with any ending', async () => {
  const text = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc
      .string({ unit: 'binary-ascii' })
      .map((reason) => `HTTP/1.1 200 ${reason}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a"`),
    fc.json().map((json) => `HTTP/1.1 200 OK\r\nContent-Length: ${json.length}\r\n\r\n${json}`),
  )
  const property = fc.asyncProperty(text, fc.constantFrom('end', 'destroy', 'reset', 'stay'), async (said, end) => {
    answerWith(said, end)
    const given = new AbortController()
    host.onAnswered = () => void (end === 'stay' && setImmediate(() => given.abort()))
    await call(given.signal).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
  })
  await fc.assert(property, { numRuns: 200 })
})
