// Deliveries that a stranger, or a member of another organization, makes as large as they can: other requests do not wait for them.
import { request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { dialects } from '../../../test/git-host-dialects.ts'
import { buildHookedProject, commit, deliver, hmac, push, SECRET, stateOf } from '../../../test/git-host-events.ts'
import { longestStopMs } from '../../../test/longest-stop.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { translateAny } from './translate-body.ts'

const MIB = 1024 * 1024
const MOST_STOP_MS = 200

const [source] = databases
if (!source) throw new Error('There is always the embedded database')

const app = stageApp(source)
let port: number

beforeAll(async () => {
  port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
})

type LargeDelivery = { readonly hookId: string; readonly body: Buffer; readonly headers?: Record<string, string> }
type Answered = { readonly status: number; readonly body: Record<string, unknown>; readonly sent: number }

/** Over a connection of its own, as far as the platform takes it. */
function send({ hookId, body, headers = {} }: LargeDelivery): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: 'POST', path: `/api/webhooks/${hookId}`, agent: false }
    const all = {
      host: 'ship.example.com',
      'content-type': 'application/json',
      'content-length': body.length,
      ...headers,
    }
    const sending = request({ ...options, headers: all }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => {
        const sent = sending.socket?.bytesWritten ?? 0
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()), sent })
        sending.destroy()
      })
    })
    // The platform closes the connection on what it does not read; the answer came before.
    sending.on('error', (error) => setImmediate(reject, error))
    sending.end(body)
  })
}

/** As much as a git host sends, most of it commits. */
function fill(payload: object, size: number): Buffer {
  const rest = JSON.stringify(payload).slice(1)
  const item = `${JSON.stringify({ id: commit('b'), message: 'Change', modified: ['a/b.ts', 'c/d.ts'] })},`
  const count = Math.floor((size - rest.length - 40) / item.length)
  return Buffer.from(`{"commits":[${item.repeat(count)}{}],${rest}`)
}

test('25 MiB to an unknown hook are refused unread', async () => {
  const body = Buffer.alloc(25 * MIB, 'x')
  const answers: Answered[] = []
  const stop = await longestStopMs(async () => {
    for (let count = 0; count < 5; count++) answers.push(await send({ hookId: 'nobody-has-this-one', body }))
  })
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(401))
  expect(answers[0]?.body).toMatchObject({ code: 'webhook_signature_invalid' })
  expect(stop).toBeLessThan(MOST_STOP_MS)
})

// The most for one of them: the others have their own fields and signatures, and more than is read without a thread.
test.each(dialects.map((dialect, place) => ({ dialect, name: dialect.name, size: place === 0 ? 25 : 5 })))(
  '$size MiB of $name are taken, and as many that are not its own refused, without stopping anybody',
  async ({ dialect, size }) => {
    const { repository_host } = dialect
    const project = await buildHookedProject(app.ctx, { repository_host })
    const { event, payload } = dialect.pullRequest({})
    const body = fill(payload as object, size * MIB)
    const headers = (secret: string) => ({
      ...dialect.headersOf(event, 'one'),
      [dialect.signatureHeader]: dialect.signatureOf(body, secret),
    })
    const right = { hookId: project.hook_id, body, headers: headers(SECRET) }
    const wrong = { ...right, headers: headers('wrong') }
    const answers: Answered[] = []
    const stop = await longestStopMs(async () => {
      answers.push(await send(wrong))
      answers.push(await send(right))
    })
    expect(answers.map((answer) => [answer.status, answer.body.code ?? answer.body.verdict])).toEqual([
      [401, 'webhook_signature_invalid'],
      [200, 'accepted'],
    ])
    expect((await stateOf(app.ctx, project.id)).environments).toEqual(['pr-7'])
    expect(stop).toBeLessThan(MOST_STOP_MS)
  },
  // Two times 25 MiB on a busy machine.
  120_000,
)

test.each([
  ['lists', `[${'[],'.repeat(8 * MIB)}[]]`, ''],
  ['objects', `[${'{},'.repeat(8 * MIB)}{}]`, ''],
  ['depth', '['.repeat(25 * MIB), ''],
  ['fields', `{${'"":1,'.repeat(5 * MIB)}"":1}`, ''],
  ['a form', `payload=${'[],'.repeat(8 * MIB)}`, 'application/x-www-form-urlencoded'],
])('a payload of nothing but %s is ignored, in little memory', async (_, text, type) => {
  const delivery = { host: 'github', event: 'push', type, body: Buffer.from(text) } as const
  expect(await translateAny(delivery)).toBe('payload_too_complex')
})

test('a form of a million fields is ignored', async () => {
  const body = Buffer.from(`payload={}${'&a'.repeat(12 * MIB)}`)
  const delivery = { host: 'github', event: 'push', type: 'application/x-www-form-urlencoded', body } as const
  expect(await translateAny(delivery)).toBe('malformed_body')
})

test('a push with more branches than anybody moves by hand is not stored', async () => {
  const project = await buildHookedProject(app.ctx, { repository_host: 'bitbucket' })
  const target = { hash: commit('a') }
  const changes = Array.from({ length: 201 }, (_, index) => ({ new: { type: 'branch', name: `b-${index}`, target } }))
  const body = Buffer.from(JSON.stringify({ push: { changes } }))
  const headers = { 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${hmac(body)}` }
  const answer = await send({ hookId: project.hook_id, body, headers })
  expect(answer.body).toEqual({ verdict: 'ignored', reason: 'too_many_changes' })
})

test('one that breaks off is not logged as a fault of the platform', async () => {
  const headers = { host: 'ship.example.com', 'content-type': 'application/json', 'content-length': 100 }
  const path = '/api/webhooks/nobody-has-this-one'
  const sending = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false })
  const broken = new Promise((resolve) => sending.once('error', resolve))
  sending.write('{')
  const whole = () => send({ hookId: 'nobody-has-this-one', body: Buffer.from('{}') })
  expect((await whole()).status).toBe(401)
  sending.destroy()
  await broken
  expect((await whole()).status).toBe(401)
  expect(app.logLines.join('')).not.toContain('request failed')
})

describe('counting', () => {
  test('so many refusals a minute, for each hook and address; what is genuine goes on', async () => {
    const [own, other] = [await buildHookedProject(app.ctx), await buildHookedProject(app.ctx)]
    const guess = (hook_id: string) =>
      deliver(app, { hook_id }, 'push', push({ after: commit('a') }), { secret: 'wrong' })
    const most = app.ctx.config.refusedDeliveriesPerMinute
    for (const hook of [own.hook_id, 'nobody-has-this-one-either']) {
      app.moveClock(60_000)
      for (let count = 0; count < most; count++) expect((await guess(hook)).status).toBe(401)
      const refused = await guess(hook)
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await deliver(app, other, 'push', push({ after: commit('a') }))).status).toBe(200)
    }
    app.moveClock(60_000)
    expect((await guess('nobody-has-this-one-either')).status).toBe(401)
  })
})
