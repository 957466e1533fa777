// Following a log over connections that the platform itself does not give: broken anywhere, refused, or with something else.
import { expect, expectTypeOf, test } from 'vitest'
import { ApiError, NoAnswer } from './api-error.ts'
import { type Client, type ClientRequest, createClient } from './client.ts'
import type { FollowRequest } from './follow-task-log.ts'
import type { LogEvent } from './log-stream.ts'
import type { Routes } from './routes.ts'

const OUTPUT = [
  { type: 'output', offset: 4, text: 'one\n' },
  { type: 'output', offset: 13, text: 'ä€🚀' },
] as const
const END = { type: 'end', status: 'succeeded', reason: null } as const

/** What the platform sends from a byte on. */
function bytesFrom(offset: number): Uint8Array<ArrayBuffer> {
  const output = OUTPUT.filter((piece) => piece.offset > offset).map(
    (piece) => `id: ${piece.offset}\nevent: output\ndata: ${piece.text.replaceAll('\n', '\ndata: ')}\n\n`,
  )
  const end = 'event: end\ndata: {"status":"succeeded","reason":null}\n\n'
  const text = ['retry: 7000\n\n', ...output, ': keep-alive\n\n', 'event: moon\ndata: new\n\n', end].join('')
  return new TextEncoder().encode(text)
}

type Answer = (offset: number, signal: AbortSignal | undefined) => Response | Promise<Response>

/** The first connection gets the first answer, and so on; the last answer is given to all that come after. */
function clientWith(...answers: [...Answer[], Answer]): { client: Client; offsets: number[] } {
  const offsets: number[] = []
  const client = createClient({
    baseUrl: 'https://ship.example.com',
    fetch: async (input, init) => {
      const offset = Number(new URL(String(input)).searchParams.get('offset'))
      const answer = answers[Math.min(offsets.push(offset), answers.length) - 1]
      if (!answer) throw new Error('There is no answer')
      return answer(offset, init?.signal ?? undefined)
    },
  })
  return { client, offsets }
}

const TYPE = { 'content-type': 'text/event-stream; charset=utf-8' }
const whole: Answer = (offset) => new Response(bytesFrom(offset), { headers: TYPE })
const text = (body: string): Answer => {
  return () => new Response(body, { headers: TYPE })
}
const noAnswer: Answer = () => Promise.reject(new TypeError('fetch failed'))
const problem = (status: number, code: string): Answer => {
  const body = { type: 'about:blank', title: code, status, code, detail: code, instance: '/', request_id: 'r' }
  return () => Response.json(body, { status })
}

async function follow(client: Client, more: Omit<FollowRequest, 'params'> = {}) {
  const seen: LogEvent[] = []
  try {
    for await (const event of client.followTaskLog({ params: { id: 7 }, retryMs: 0, ...more })) seen.push(event)
  } catch (error) {
    return { seen, error }
  }
  return { seen, error: undefined }
}

test('events that come byte by byte are the same', async () => {
  const { client, offsets } = clientWith((offset) => {
    const bytes = bytesFrom(offset).values()
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const { done, value } = bytes.next()
        if (done) controller.close()
        else controller.enqueue(Uint8Array.of(value))
      },
    })
    return new Response(body, { headers: TYPE })
  })
  expect(await follow(client)).toEqual({ seen: [...OUTPUT, END], error: undefined })
  expect(offsets).toEqual([0])
})

test.each(['closed', 'broken'])(
  'a connection that is %s after any byte costs no output and repeats none',
  async (how) => {
    for (let length = 0; length < bytesFrom(0).length; length++) {
      const { client } = clientWith((offset) => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(bytesFrom(offset).subarray(0, length)),
          pull: (controller) => (how === 'closed' ? controller.close() : controller.error(new TypeError('terminated'))),
        })
        return new Response(body, { headers: TYPE })
      }, whole)
      expect(await follow(client), `after ${length} bytes`).toEqual({ seen: [...OUTPUT, END], error: undefined })
    }
  },
)

test('a platform that is away for a while is asked again where the output stopped', async () => {
  const { client, offsets } = clientWith(
    text('id: 4\nevent: output\ndata: one\ndata: \n\n'),
    noAnswer,
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    problem(503, 'unavailable'),
    problem(429, 'rate_limited'),
    whole,
  )
  expect(await follow(client)).toEqual({ seen: [...OUTPUT, END], error: undefined })
  expect(offsets).toEqual([0, 4, 4, 4, 4, 4])
})

test('a platform that stays away is given up', async () => {
  const { client, offsets } = clientWith(text('retry: 7000\n\n'), noAnswer)
  expect((await follow(client)).error).toBeInstanceOf(NoAnswer)
  expect(offsets).toHaveLength(16)
})

test.each([
  ['no answer', noAnswer],
  ['a problem', problem(503, 'unavailable')],
])('%s at first is told at once', async (_, answer) => {
  const { client, offsets } = clientWith(answer)
  expect((await follow(client)).error).toSatisfy((error) => error instanceof NoAnswer || error instanceof ApiError)
  expect(offsets).toHaveLength(1)
})

test('what the platform refuses later is told, and not asked again', async () => {
  const { client, offsets } = clientWith(text('retry: 7000\n\n'), problem(401, 'token_expired'), whole)
  expect((await follow(client)).error).toMatchObject({ status: 401, code: 'token_expired' })
  expect(offsets).toHaveLength(2)
})

test.each([
  ['a page', () => new Response('<h1>Welcome to the hotel</h1>', { headers: { 'content-type': 'text/html' } })],
  ['output without its place', text('event: output\ndata: x\n\n')],
  ['output at no place', text('id: -1\nevent: output\ndata: x\n\n')],
  ['an end that is no JSON', text('event: end\ndata: x\n\n')],
  ['an end of another kind', text('event: end\ndata: {"status":"perhaps","reason":null}\n\n')],
])('%s in place of the events is an error', async (_, answer) => {
  const { client, offsets } = clientWith(answer)
  expect((await follow(client)).error).toMatchObject({ status: 200, code: 'unexpected_answer' })
  expect(offsets).toHaveLength(1)
})

test('it can be given up while it waits to connect again, and before it begins', async () => {
  const controller = new AbortController()
  const { client, offsets } = clientWith(() => {
    setTimeout(() => controller.abort(new Error('Given up')), 0)
    return new Response('retry: 3600000\n\n', { headers: TYPE })
  })
  const { signal } = controller
  expect(await follow(client, { signal, retryMs: undefined })).toEqual({ seen: [], error: new Error('Given up') })
  expect(offsets).toHaveLength(1)
  const { client: other } = clientWith((_, aborted) => {
    aborted?.throwIfAborted()
    return new Response()
  })
  expect(await follow(other, { signal })).toEqual({ seen: [], error: new Error('Given up') })
})

test('who stops early closes the connection', async () => {
  let isCanceled = false
  const { client } = clientWith(() => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesFrom(0).subarray(0, -1)),
      cancel: () => {
        isCanceled = true
      },
    })
    return new Response(body, { headers: TYPE })
  })
  for await (const event of client.followTaskLog({ params: { id: 7 } })) {
    expect(event).toEqual(OUTPUT[0])
    break
  }
  expect(isCanceled).toBe(true)
})

test('reading a log as one text cannot ask to follow it', () => {
  type Query = NonNullable<ClientRequest<Routes['readTaskLog']>['query']>
  expectTypeOf<Query>().toEqualTypeOf<{ readonly offset?: number | undefined }>()
})
