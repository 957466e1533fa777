// Deliveries of every git host that only look genuine: refused word for word as an unknown hook is, before anything is read.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { deliverAs, dialects, type TestDialect } from '../../../test/git-host-dialects.ts'
import { buildHookedProject, commit, type HookedProject, hmac, SECRET, stateOf } from '../../../test/git-host-events.ts'
import { ask } from '../../../test/loopback.ts'
import { byTurns } from '../../../test/stage/by-turns.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

type Wrong = readonly [string, (dialect: TestDialect, body: string) => string | null]

const prefixOf = (dialect: TestDialect, body: string): string =>
  /^sha256=|/.exec(dialect.signatureOf(body, ''))?.[0] ?? ''

const wrong: readonly Wrong[] = [
  ['none', () => null],
  ['an empty one', () => ''],
  ['the prefix alone', () => 'sha256='],
  ['zeros', (dialect, body) => `${prefixOf(dialect, body)}${'0'.repeat(64)}`],
  ['the older algorithm', (_, body) => `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`],
  ['capitals', (dialect, body) => dialect.signatureOf(body, SECRET).toUpperCase()],
  ['a prefix in capitals', (_, body) => `SHA256=${hmac(body)}`],
  ['digits in capitals', (dialect, body) => `${prefixOf(dialect, body)}${hmac(body).toUpperCase()}`],
  ['an empty key', (dialect, body) => dialect.signatureOf(body, '')],
  ['the key "undefined"', (dialect, body) => dialect.signatureOf(body, 'undefined')],
  ['the key "null"', (dialect, body) => dialect.signatureOf(body, 'null')],
  ['the beginning of the key', (dialect, body) => dialect.signatureOf(body, SECRET.slice(0, -1))],
  ['the key in other case', (dialect, body) => dialect.signatureOf(body, SECRET.toUpperCase())],
  ['no digits', () => `sha256=${Buffer.from('é'.repeat(32)).toString('latin1')}`],
  ['the beginning of a right one', (dialect, body) => dialect.signatureOf(body, SECRET).slice(0, -1)],
  ['more than a right one', (dialect, body) => `${dialect.signatureOf(body, SECRET)}0`],
  ['a right one after a wrong one', (dialect, body) => `0, ${dialect.signatureOf(body, SECRET)}`],
]

const gitlabDialect = dialects.find(({ repository_host }) => repository_host === 'gitlab') ?? fail('There is no GitLab')

function fail(reason: string): never {
  throw new Error(reason)
}

describe.each(databases)('hostile signatures on $name', (source) => {
  const app = stageApp(source)
  let port: number

  beforeAll(async () => {
    port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
  })

  test.each(['nobody-has-this-one', '%00', '%E2%80%AE', "'%20or%20''='", '..%2f..%2fme', '__proto__', '%F0%9F%9A%80'])(
    'there is no hook %s',
    async (hookId) => {
      const [dialect] = dialects
      if (!dialect) throw new Error('There is no dialect')
      const delivery = dialect.push({ branch: 'main', sha: commit('a') })
      const answer = await deliverAs(dialect, { app, hookId }, delivery)
      expect([answer.status, answer.body.code]).toEqual([401, 'webhook_signature_invalid'])
    },
  )

  describe.each(dialects)('of $name', (dialect) => {
    let project: HookedProject
    const opened = dialect.pullRequest({})
    const body = JSON.stringify(opened.payload)

    beforeAll(async () => {
      const { repository_host } = dialect
      project = await buildHookedProject(app.ctx, { repository_host })
    })

    const send = (hookId: string, { text = body, signature }: { text?: string; signature: string | null }) =>
      deliverAs(
        dialect,
        { app, hookId },
        { event: opened.event, payload: text },
        { signature, id: 'one', headers: { 'x-request-id': 'the-same-id' } },
      )
    const isRefused = async (sent: { text?: string; signature: string | null }) => {
      const refused = await send(project.hook_id, sent)
      const unknown = await send('nobody-has-this-one', sent)
      expect([refused.status, refused.body.code]).toEqual([401, 'webhook_signature_invalid'])
      expect(refused.text).toBe(unknown.text)
      expect({ ...refused.headers, date: '' }).toEqual({ ...unknown.headers, date: '' })
      expect((await stateOf(app.ctx, project.id)).environments).toEqual([])
    }

    // Each on one of the databases, and on the other in the next dialect: both meet all of them.
    test.each(byTurns(source, wrong, dialects.indexOf(dialect)))('%s is refused', async (_, signatureOf) => {
      await isRefused({ signature: signatureOf(dialect, body) })
    })

    test('a body that was written anew is refused, where the body is signed', async () => {
      if (dialect.signatureOf('a', SECRET) === dialect.signatureOf('b', SECRET)) return
      await isRefused({ text: JSON.stringify(opened.payload, null, 1), signature: dialect.signatureOf(body, SECRET) })
    })

    test.each(['{', '', 'null', '['.repeat(100_000)])(
      'nothing is read of %.20j before it is known who sent it',
      (text) => isRefused({ text, signature: dialect.signatureOf(text, 'wrong') }),
    )

    test('a signature that is sent twice is none', async () => {
      const signature = dialect.signatureOf(body, SECRET)
      for (const signatures of [
        [signature, signature],
        ['wrong', signature],
        [signature, 'wrong'],
      ]) {
        const headers = {
          'content-type': 'application/json',
          ...dialect.headersOf(opened.event, 'two'),
          [dialect.signatureHeader]: signatures,
        }
        const sent = { method: 'POST', path: `/api/webhooks/${project.hook_id}`, headers, body }
        expect((await ask(port, 'ship.example.com', sent)).status).toBe(401)
      }
    })

    test('a body in pieces is put together, and a packed one is not unpacked', async () => {
      const post = (bytes: Buffer, more: Record<string, string>) => {
        const signature = dialect.signatureOf(bytes, SECRET)
        const own = { ...dialect.headersOf('nothing', 'pieces'), [dialect.signatureHeader]: signature }
        const headers = { 'content-type': 'application/json', ...own, ...more }
        return ask(port, 'ship.example.com', { method: 'POST', path: url(), headers, body: bytes })
      }
      const url = () => `/api/webhooks/${project.hook_id}`
      const text = Buffer.from('{"object_kind":"nothing"}')
      expect((await post(text, { 'transfer-encoding': 'chunked' })).status).toBe(200)
      expect((await post(gzipSync(text), { 'content-encoding': 'gzip' })).status).toBe(415)
    })
  })

  test('a body that does not say how long it is is taken up to the limit', async () => {
    const { hook_id } = await buildHookedProject(app.ctx)
    const send = async (hookId: string) => {
      const endless = Readable.from(Array(26).fill(Buffer.alloc(1024 * 1024, ' ')))
      const headers = { host: 'ship.example.com', 'content-type': 'application/json' }
      const answer = await app.app.inject({ method: 'POST', url: `/api/webhooks/${hookId}`, headers, payload: endless })
      return [answer.statusCode, answer.json().code]
    }
    expect(await send(hook_id)).toEqual([413, 'payload_too_large'])
    expect(await send('one')).toEqual([401, 'webhook_signature_invalid'])
  })

  test('a signature by Standard Webhooks is taken from GitLab, for an hour', async () => {
    const project = await buildHookedProject(app.ctx, { repository_host: 'gitlab' })
    const { event, payload } = gitlabDialect.pullRequest({})
    const body = JSON.stringify(payload)
    const post = (seconds: number, { id = 'one', key = SECRET } = {}) => {
      const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
      const headers = {
        'x-gitlab-event': event,
        'webhook-id': 'one',
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${signature}`,
      }
      return app.call('POST', `/api/webhooks/${project.hook_id}`, { body, headers })
    }
    const now = Math.floor(app.ctx.clock() / 1000)
    expect((await post(now)).body).toEqual({ verdict: 'accepted', reason: null })
    expect((await post(now)).body).toEqual({ verdict: 'duplicate', reason: null })
    for (const seconds of [now - 7200, now + 7200]) expect((await post(seconds)).status).toBe(401)
    expect((await post(now, { id: 'two' })).status).toBe(401)
    expect((await post(now, { key: 'wrong' })).status).toBe(401)
  })
})
