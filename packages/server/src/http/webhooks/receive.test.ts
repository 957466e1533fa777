// Receiving deliveries: which are genuine, which are taken, and what is kept of them.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildHookedProject,
  commit,
  deliver,
  type HookedProject,
  hmac,
  pullRequest,
  push,
  SECRET,
  stateOf,
} from '../../../test/git-host-events.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { acceptDelivery } from '../../operations/repository-events/accept-delivery.ts'
import { recordRefusedDelivery } from '../../operations/repository-events/record-refused-delivery.ts'
import { Secret } from '../../secrets/secret.ts'
import { deleteProject } from '../../store/projects/projects.ts'
import { findWebhookOfProject } from '../../store/repository-events/webhooks.ts'

describe.each(databases)('deliveries on $name', (source) => {
  let app: TestApp
  let project: HookedProject

  beforeAll(async () => {
    app = await openTestApp(source, { webhookSecret: new Secret('shared by all') })
  })
  beforeEach(async () => {
    project = await buildHookedProject(app.ctx)
  })
  afterAll(() => app.close())

  const opened = pullRequest('opened')
  const deliveriesOf = async ({ id, owner }: HookedProject) => {
    await app.finished()
    return (await app.call('GET', `/api/projects/${id}/deliveries?limit=200`, { as: owner })).body
  }
  const post = (hookId: string, headers: Record<string, string>, body = JSON.stringify(opened)) =>
    app.call('POST', `/api/webhooks/${hookId}`, {
      body,
      headers: { 'x-request-id': 'the-same-id', 'x-github-event': 'pull_request', ...headers },
    })

  test('a refused one of a project that is deleted before it is recorded is forgotten', async () => {
    const refused = { projectId: 999_999_999, deliveryId: 'late', event: 'push', sentBy: null }
    recordRefusedDelivery(app.ctx, refused)
    await app.finished()
    expect(app.logLines.filter((line) => line.includes('work after a response failed'))).toEqual([])
  })

  test('a genuine one of a project that is deleted before it is stored is ignored', async () => {
    const webhook = await findWebhookOfProject(app.ctx.db, project.id)
    if (!webhook) throw new Error('The project has no webhook')
    await app.ctx.change(PLATFORM, (tx) => deleteProject(tx, project.id))
    const outcome = await acceptDelivery(app.ctx, webhook, {
      deliveryId: 'late',
      deliveryKey: 'late',
      event: 'push',
      sentBy: null,
      showsHost: false,
      isSignedWithNewest: false,
      translation: 'nothing_new',
      origin: { address: '127.0.0.1', requestId: 'test' },
    })
    expect(outcome).toEqual({ verdict: 'ignored', reason: 'project_deleting' })
  })

  test('an accepted one is answered, remembered, and says nothing of what was in it', async () => {
    const { status, body } = await deliver(app, project, 'pull_request', opened, { id: 'delivery-1' })
    expect([status, body]).toEqual([200, { verdict: 'accepted', reason: null }])
    const kept = await deliveriesOf(project)
    expect(kept).toEqual([
      {
        id: expect.any(Number),
        delivery_id: 'delivery-1',
        event: 'pull_request',
        verdict: 'accepted',
        reason: null,
        detail: null,
        received_at: '2026-01-02T03:04:05.678Z',
        pull_request: 7,
        branch: 'feature',
        environment: { id: expect.any(Number), name: 'pr-7' },
        hint: null,
      },
    ])
    expect(JSON.stringify(kept)).not.toContain(SECRET)
  })

  const good = hmac(JSON.stringify(opened))
  const short = createHmac('sha1', SECRET).update(JSON.stringify(opened)).digest('hex')
  const wrong: [string, Record<string, string>][] = [
    ['no signature', {}],
    ['an empty signature', { 'x-hub-signature-256': 'sha256=' }],
    ['zeros', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }],
    ['the older algorithm', { 'x-hub-signature-256': `sha1=${short}`, 'x-hub-signature': `sha1=${short}` }],
    ['capitals', { 'x-hub-signature-256': `SHA256=${good}` }],
    ['digits in capitals', { 'x-hub-signature-256': `sha256=${good.toUpperCase()}` }],
    ['an empty key', { 'x-hub-signature-256': `sha256=${hmac(JSON.stringify(opened), '')}` }],
    ['the key "undefined"', { 'x-hub-signature-256': `sha256=${hmac(JSON.stringify(opened), 'undefined')}` }],
    ['a body written anew', { 'x-hub-signature-256': `sha256=${hmac(JSON.stringify(opened, null, 1))}` }],
    ['no digits', { 'x-hub-signature-256': `sha256=${Buffer.from('é'.repeat(32)).toString('latin1')}` }],
    ['another host of the same secret', { 'x-gitlab-token': SECRET }],
  ]
  test.each(wrong)('%s is refused, word for word as an unknown hook is', async (_, headers) => {
    const refused = await post(project.hook_id, headers)
    const unknown = await post('nobody-has-this-one', headers)
    expect(refused.status).toBe(401)
    expect(refused.body.code).toBe('webhook_signature_invalid')
    expect(refused.text).toBe(unknown.text)
    expect({ ...refused.headers, date: '' }).toEqual({ ...unknown.headers, date: '' })
    expect((await stateOf(app.ctx, project.id)).environments).toEqual([])
    expect(await deliveriesOf(project)).toMatchObject([{ verdict: 'refused', reason: 'signature_invalid' }])
  })

  test('what is not genuine does not take the id of what is', async () => {
    await deliver(app, project, 'pull_request', opened, { id: 'one', secret: 'wrong' })
    expect((await deliver(app, project, 'pull_request', opened, { id: 'one' })).body.verdict).toBe('accepted')
  })

  test('the same delivery is taken once, also when it comes many times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => deliver(app, project, 'pull_request', opened, { id: 'one' })),
    )
    const verdicts = answers.map(({ body }) => body.verdict).toSorted()
    expect(verdicts).toEqual(['accepted', ...Array.from({ length: 7 }, () => 'duplicate')])
    expect((await stateOf(app.ctx, project.id)).tasks.length).toBe(1)
  })

  test('without an id, the same bytes are the same delivery', async () => {
    const headers = { 'x-hub-signature-256': `sha256=${good}` }
    expect((await post(project.hook_id, headers)).body.verdict).toBe('accepted')
    expect((await post(project.hook_id, headers)).body.verdict).toBe('duplicate')
  })

  test.each([
    ['null', 'incomplete_payload'],
    ['"x"', 'incomplete_payload'],
    ['{', 'malformed_body'],
    ['', 'malformed_body'],
    ['{"ref":1}', 'incomplete_payload'],
    ['{"refUpdates":[]}', 'incomplete_payload'],
    ['{"pull_request":null,"action":"opened"}', 'incomplete_payload'],
    ['{"action":"opened","number":1}', 'incomplete_payload'],
    ['['.repeat(100_000), 'malformed_body'],
    ['\uFEFF{}', 'incomplete_payload'],
    ['{"ref":"\\ud800"}', 'incomplete_payload'],
  ])('a genuine %.30s is ignored', async (body, reason) => {
    const answer = await deliver(app, project, 'pull_request', body)
    expect([answer.status, answer.body]).toEqual([200, { verdict: 'ignored', reason }])
  })

  test('a form with the JSON in it is read', async () => {
    const body = new URLSearchParams({ payload: JSON.stringify(opened) }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await deliver(app, project, 'pull_request', body, { headers })).body.verdict).toBe('accepted')
  })

  test('more than a git host sends is not read', async () => {
    const answer = await deliver(app, project, 'push', ' '.repeat(30_000_000))
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large'])
  })

  test('an Authorization header of the git host is ignored', async () => {
    const headers = { authorization: 'Bearer of-the-git-host' }
    expect((await deliver(app, project, 'pull_request', opened, { headers })).status).toBe(200)
  })

  test.each(['gitlab', 'gitea', 'bitbucket'] as const)(
    'a project on %s takes deliveries in its dialect alone',
    async (host) => {
      const other = await buildHookedProject(app.ctx, { repository_host: host })
      expect((await deliver(app, other, 'pull_request', opened)).status).toBe(host === 'gitea' ? 200 : 401)
      const payload = JSON.stringify({ object_kind: 'note', push: { changes: [] } })
      const own = {
        gitlab: { 'x-gitlab-event': 'Note Hook', 'x-gitlab-token': SECRET, 'x-gitlab-event-uuid': 'one' },
        gitea: { 'x-gitea-event': 'release', 'x-gitea-signature': hmac(payload), 'x-gitea-delivery': 'one' },
        bitbucket: {
          'x-event-key': 'repo:fork',
          'x-hub-signature': `sha256=${hmac(payload)}`,
          'x-request-uuid': 'one',
        },
      }[host]
      expect((await post(other.hook_id, own, payload)).body).toEqual({ verdict: 'ignored', reason: 'event_not_used' })
      expect((await deliveriesOf(other)).map((kept: { delivery_id: string }) => kept.delivery_id)).toContain('one')
    },
  )

  test('a new secret leaves the earlier one valid until it is used', async () => {
    const url = `/api/projects/${project.id}/webhook-secret`
    const { body } = await app.call('POST', url, { as: project.owner })
    const send = async (secret: string) =>
      (await deliver(app, project, 'push', push({ after: commit('a') }), { secret })).status
    expect(await send(SECRET)).toBe(200)
    expect(await send(SECRET)).toBe(200)
    expect(await send(body.secret)).toBe(200)
    expect(await send(SECRET)).toBe(401)
    expect(await send(body.secret)).toBe(200)
  })

  test('a project from before secrets of their own works with the shared one until then', async () => {
    const earlier = await buildHookedProject(app.ctx, { shares_webhook_secret: 1 })
    const send = async (to: HookedProject, secret: string) =>
      (await deliver(app, to, 'push', push({ after: commit('a') }), { secret })).status
    expect(await send(earlier, 'shared by all')).toBe(200)
    const { body } = await app.call('POST', `/api/projects/${earlier.id}/webhook-secret`, { as: earlier.owner })
    expect(await send(earlier, 'shared by all')).toBe(200)
    expect(await send(earlier, body.secret)).toBe(200)
    expect(await send(earlier, 'shared by all')).toBe(401)
    expect(await send(project, 'shared by all')).toBe(401)
  })

  test('the last 200 are kept, and rubbish pushes none of them out', async () => {
    const row = { project_id: project.id, event: 'push', verdict: 'ignored', received_at: 1 } as const
    const rows = Array.from({ length: 200 }, (_, index) => ({ ...row, delivery_id: String(index) }))
    await app.ctx.db.insertInto('deliveries').values(rows).execute()
    for (let count = 0; count < 25; count++) {
      await deliver(app, project, 'push', {}, { secret: 'wrong' })
      await app.finished()
    }
    await deliver(app, project, 'ping', {}, { id: 'newest' })
    await app.finished()
    const kept = await app.ctx.db
      .selectFrom('deliveries')
      .where('project_id', '=', project.id)
      .select(['delivery_id', 'verdict'])
      .orderBy('id')
      .execute()
    const genuine = kept.filter(({ verdict }) => verdict !== 'refused')
    expect([genuine.length, genuine[0]?.delivery_id, genuine.at(-1)?.delivery_id]).toEqual([200, '1', 'newest'])
    expect(kept.length - genuine.length).toBe(20)
  })

  test('once it is known which repository the project is, another one has no say', async () => {
    const own = await buildHookedProject(app.ctx, { repo_url: 'git@github.com:acme/app.git' })
    const named = { ...opened, repository: { id: 5, clone_url: 'https://github.com/Acme/App.git' } }
    expect((await deliver(app, own, 'pull_request', named)).body.verdict).toBe('accepted')
    for (const address of ['https://github.com/acme/evil.git', 'https://evil.example/acme/app.git']) {
      const evil = { ...push({ after: commit('a') }), repository: { id: 6, clone_url: address } }
      expect((await deliver(app, own, 'push', evil)).body).toEqual({ verdict: 'ignored', reason: 'other_repository' })
    }
    const moved = { ...push({ after: commit('a') }), repository: { id: 5, clone_url: 'https://evil.example/a.git' } }
    expect((await deliver(app, own, 'push', moved)).body.reason).toBe('no_environment')
  })

  test('an id is compared as a whole, however long or odd it is', async () => {
    const send = async (number: number, id: string) =>
      (await deliver(app, project, 'pull_request', pullRequest('opened', { number }), { id })).body.verdict
    const long = 'x'.repeat(300)
    expect([await send(1, `${long}1`), await send(2, `${long}2`)]).toEqual(['accepted', 'accepted'])
    expect([await send(3, 'a\u0081b'), await send(4, 'a\u0082b')]).toEqual(['accepted', 'accepted'])
    expect([await send(5, `${long}1`), await send(6, `${long}2`)]).toEqual(['duplicate', 'duplicate'])
    const shown = (await deliveriesOf(project)).map((kept: { delivery_id: string }) => kept.delivery_id.length)
    expect(Math.max(...shown)).toBe(200)
  })
})

test('a body that does not arrive in time is given up', async () => {
  const [source] = databases
  if (!source) throw new Error('There is always the embedded database')
  const app = await openTestApp(source)
  const address = new URL(await app.app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(address.port), '127.0.0.1')
  socket.write('POST /api/webhooks/one HTTP/1.1\r\nHost: ship.example.com\r\nContent-Length: 1000\r\n\r\n{')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
  await once(socket, 'close')
  await app.close()
})
