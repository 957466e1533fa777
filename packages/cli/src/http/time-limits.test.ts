// A platform that answers late, stops in the middle, or does not stop.
import { expect, test } from 'vitest'
import { limitTime } from './time-limits.ts'

const limits = { answerMs: 30, silenceMs: 30 }
const address = 'http://platform.example'

const neverAnswers: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))

/** Begins its answer, and ends it when the request is given up. */
const stopsInTheMiddle: typeof fetch = async (_input, init) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"id":'))
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    }),
  )

test('a response that does not begin is given up', async () => {
  await expect(limitTime(neverAnswers, limits)(address)).rejects.toThrow('no answer within 30 ms')
})

test('a response that stops is given up', async () => {
  const response = await limitTime(stopsInTheMiddle, limits)(address)
  await expect(response.text()).rejects.toThrow('the answer stopped')
})

test('Ctrl-C ends a request', async () => {
  const interrupt = new AbortController()
  const asked = limitTime(neverAnswers, { answerMs: 60_000, silenceMs: 60_000 }, interrupt.signal)(address)
  interrupt.abort(new Error('interrupted'))
  await expect(asked).rejects.toThrow('interrupted')
})

test('a normal response is passed on unchanged', async () => {
  const send: typeof fetch = async () => new Response('{"a":1}', { status: 201, headers: { link: '<x>; rel="next"' } })
  const response = await limitTime(send, limits)(address)
  expect([response.status, response.headers.get('link'), await response.json()]).toEqual([
    201,
    '<x>; rel="next"',
    { a: 1 },
  ])
  const empty = await limitTime(async () => new Response(null, { status: 204 }), limits)(address)
  expect([empty.status, await empty.text()]).toEqual([204, ''])
})
