// The client against answers that the platform itself does not give: none, a proxy's, a redirect.
import { expect, test } from 'vitest'
import { ApiError, NoAnswer } from './api-error.ts'
import { createClient } from './client.ts'
import { pages } from './pages.ts'

const TOKEN = 'shw_pat_canary'

/** A client whose requests are kept, and answered by a function. */
function clientWith(answer: (request: Request) => Response | Promise<Response>) {
  const requests: Request[] = []
  const client = createClient({
    baseUrl: 'https://ship.example.com',
    token: () => TOKEN,
    organization: 7,
    userAgent: 'shipway/test',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      requests.push(request)
      return answer(request)
    },
  })
  return { client, requests }
}

const empty = () => new Response(null, { status: 204 })
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

test('the parts of a request go where they belong, and the token into a header alone', async () => {
  const { client, requests } = clientWith(() => Response.json({}, { status: 200 }))
  const body = { set: { A: '' } }
  await failure(client.changeVariables({ params: { id: 1 }, body, idempotencyKey: 'key-1', ifMatch: '"3"' }))
  const request = requests[0]
  expect(request?.url).toBe('https://ship.example.com/api/environments/1/variables')
  expect(request?.method).toBe('PATCH')
  expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'idempotency-key': 'key-1',
    'if-match': '"3"',
    'x-service-organization': '7',
    'user-agent': 'shipway/test',
  })
  expect(await request?.json()).toEqual(body)
})

test('a query holds what was given and leaves out what was not', async () => {
  const { client, requests } = clientWith(() => Response.json([]))
  await client.listProjects({ query: { limit: 10, cursor: undefined } })
  await client.listProjects()
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=10', ''])
})

test('a part of a log is asked for by its bytes', async () => {
  const { client, requests } = clientWith(() => new Response('x', { status: 206 }))
  await client.readTaskLog({ params: { id: 1 }, range: { last: 10 } })
  await client.readTaskLog({ params: { id: 1 }, range: { from: 5, to: 8 } })
  await client.readTaskLog({ params: { id: 1 } })
  expect(requests.map(({ headers }) => headers.get('range'))).toEqual(['bytes=-10', 'bytes=5-7', null])
})

test('a name in an address is encoded, and one that would lead elsewhere is refused', async () => {
  const { client, requests } = clientWith(empty)
  await failure(client.runAction({ params: { id: 1, name: 'a/b?c#d ../x' } }))
  expect(requests[0]?.url).toBe('https://ship.example.com/api/environments/1/actions/a%2Fb%3Fc%23d%20..%2Fx/tasks')
  for (const name of ['', '.', '..']) {
    expect(await failure(client.runAction({ params: { id: 1, name } }))).toBeInstanceOf(RangeError)
  }
  expect(requests).toHaveLength(1)
})

test('a request without an answer is an error of its own, with a sentence', async () => {
  const { client } = clientWith(() => Promise.reject(new TypeError('fetch failed')))
  const error = await failure(client.getMe())
  expect(error).toBeInstanceOf(NoAnswer)
  expect(error).toMatchObject({
    message: 'ship.example.com did not answer. Check the address and the network, then try again',
  })
})

test("a proxy's own page is not shown, and not taken for a problem of the platform", async () => {
  const { client } = clientWith(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const error = await failure(client.getMe())
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 502, code: 'unexpected_answer', problem: undefined })
  expect(String(error)).not.toContain('<h1>')
})

test.each([['<h1>Welcome to the hotel</h1>'], ['{"id": 1}'], ['']])(
  'an answer of success that is not of the contract is an error: %j',
  async (text) => {
    const { client } = clientWith(() => new Response(text, { headers: { 'content-type': 'application/json' } }))
    expect(await failure(client.getMe())).toMatchObject({ status: 200, code: 'unexpected_answer' })
  },
)

test('a redirect is not followed; the error names the address to use', async () => {
  const { client, requests } = clientWith(
    () => new Response(null, { status: 301, headers: { location: 'https://other.example.com/api/me' } }),
  )
  const error = await failure(client.getMe())
  expect(error).toMatchObject({ message: expect.stringContaining('https://other.example.com') })
  expect(requests[0]?.redirect).toBe('manual')
})

test('a token that cannot be sent is refused without being repeated', async () => {
  const client = createClient({ baseUrl: 'https://ship.example.com', token: () => 'shw_pat_canary\n' })
  const error = await failure(client.getMe())
  expect(error).toBeInstanceOf(RangeError)
  expect(String(error)).not.toContain('canary')
})

test('a call that is given up fails with the reason of giving up', async () => {
  const controller = new AbortController()
  const { client } = clientWith(async (request) => {
    controller.abort(new Error('Given up'))
    request.signal.throwIfAborted()
    return empty()
  })
  expect(await failure(client.getMe({ signal: controller.signal }))).toEqual(new Error('Given up'))
})

test('fields that the contract does not know yet are left behind', async () => {
  const { client } = clientWith(() => Response.json({ status: 'ok', version: 'v2.0.0', mood: 'good' }))
  expect(await client.getHealth()).toEqual({ status: 'ok', version: 'v2.0.0' })
})

test('a file is handed on as it arrives', async () => {
  const { client } = clientWith(() => new Response(new Uint8Array([0, 255, 254])))
  const chunks: number[] = []
  for await (const chunk of await client.downloadArtifact({ params: { id: 1 } })) chunks.push(...chunk)
  expect(chunks).toEqual([0, 255, 254])
})

test('a link to the next page gives its cursor and nothing else', async () => {
  const links = ['<https://evil.example/api/x?cursor=two>; rel="next"', undefined]
  const { client, requests } = clientWith(() => {
    const link = links.shift()
    return Response.json([], link === undefined ? {} : { headers: { link } })
  })
  for await (const page of pages((cursor) => client.raw.listServers({ query: { cursor } }))) expect(page).toEqual([])
  expect(requests.map(({ url }) => url)).toEqual([
    'https://ship.example.com/api/servers',
    'https://ship.example.com/api/servers?cursor=two',
  ])
})
