// Who may open a live connection, what is taken from whom, and messages that no client should send.
import { LIVE_AUTHENTICATE, LIVE_CLOSE, LIVE_SUBPROTOCOL } from '@shipway/api/live'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  buildEnvironment,
  buildOauthToken,
  buildOrganization,
  buildSession,
  buildToken,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { isOfType, openLiveReader, Refused } from '../../../test/live-reader.ts'
import { oneDatabase } from '../../../test/one-database.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'
import { insertMember } from '../../store/people/memberships.ts'

describe.each(oneDatabase)('who reads the live channel on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>
  let own: string

  beforeAll(async () => {
    own = await app.app.listen({ host: '127.0.0.1', port: 0 })
    project = await buildOwnedProject(app.ctx)
  })

  const open = (opening: Parameters<typeof openLiveReader>[1]) => openLiveReader(app.app, opening)
  const statusOf = (opening: Parameters<typeof openLiveReader>[1]): Promise<number> =>
    open(opening).then(
      (reader) => {
        reader.socket.close()
        return 101
      },
      (error) => (error instanceof Refused ? error.status : Promise.reject(error)),
    )
  const joined = async (role: 'member' | 'viewer' = 'member'): Promise<TestUser> => {
    const user = await buildUser(app.ctx)
    const values = { organization_id: project.organizationId, user_id: user.id, role, created_at: 1 }
    await app.ctx.change(PLATFORM, (tx) => insertMember(tx, values))
    return user
  }
  const leave = (user: TestUser) =>
    app.call('DELETE', `/api/organizations/${project.organizationId}/members/${user.id}`, { as: project.owner })
  const rename = (environmentId: number, title: string) =>
    app.ctx.change(PLATFORM, (tx) => updateEnvironment(tx, environmentId, { title }))

  test('a session, from our own pages alone', async () => {
    const { cookie } = await buildSession(app.ctx, project.owner.id)
    expect(await statusOf({ headers: { cookie, origin: own } })).toBe(101)
    const foreign = [
      ...[
        'null',
        'https://evil.example',
        'https://good.example:444',
        'https://ship.example.com',
        `${own}.evil.example`,
      ],
      ...[
        `${own}@evil.example`,
        own.replace('http:', 'https:').replace(/:\d+$/, ''),
        '',
        'file://',
        own.replace(/\d$/, ''),
      ],
    ]
    for (const origin of foreign) {
      expect([origin, await statusOf({ headers: { cookie, origin } })]).toEqual([origin, 403])
      expect(await statusOf({ token: project.owner.token, headers: { origin } })).toBe(403)
    }
    expect(await statusOf({ headers: { cookie } })).toBe(403)
    expect(await statusOf({ headers: { cookie, authorization: '' } })).toBe(403)
  })

  test('a token in the header, never in the address', async () => {
    const { token } = project.owner
    expect(await statusOf({ token })).toBe(101)
    expect(await statusOf({ token: 'shw_pat_wrong' })).toBe(401)
    expect(await statusOf({})).toBe(401)
    for (const query of [`?token=${token}`, `?access_token=${token}`, `?authorization=Bearer%20${token}`])
      expect(await statusOf({ query })).toBe(401)
    const writes = await buildToken(app.ctx, project.owner.id, { scopes: 'deploy' })
    expect(await statusOf({ token: writes })).toBe(403)
    const narrowed = { token, headers: { 'x-service-organization': '999999' } }
    expect(await statusOf(narrowed)).toBe(404)
  })

  test('a request without an upgrade gets an error that says so', async () => {
    const answer = await app.call('GET', '/api/live', { as: project.owner })
    expect([answer.status, answer.body.code]).toEqual([426, 'upgrade_required'])
    expect((await app.call('GET', '/api/live')).status).toBe(401)
  })

  test('a token as the first message, if the client announces it', async () => {
    const protocols = [LIVE_SUBPROTOCOL, LIVE_AUTHENTICATE]
    const reader = await open({ protocols })
    expect(reader.socket.protocol).toBe(LIVE_SUBPROTOCOL)
    reader.send({ type: 'authenticate', token: project.owner.token })
    await reader.next(isOfType('authenticated'))
    await reader.subscribe(`project:${project.id}`)
    reader.send({ type: 'authenticate', token: project.owner.token })
    expect((await reader.next(isOfType('error'))).code).toBe('malformed_request')
    reader.socket.close()
    const page = await open({ headers: { origin: own } })
    page.send({ type: 'subscribe', id: 'a', topic: `project:${project.id}` })
    expect(await page.closed).toBe(LIVE_CLOSE.signInRequired)
    const wrong = await open({ protocols })
    wrong.send({ type: 'authenticate', token: 'shw_pat_wrong' })
    expect(await wrong.closed).toBe(LIVE_CLOSE.signInRequired)
    const elsewhere = await open({ protocols })
    elsewhere.send({ type: 'authenticate', token: project.owner.token, organization_id: 999_999 })
    expect(await elsewhere.closed).toBe(LIVE_CLOSE.signInRequired)
    const silent = await open({ protocols })
    app.moveClock(10_000)
    expect(await silent.closed).toBe(LIVE_CLOSE.signInRequired)
  })

  test('strangers of one network have few places', async () => {
    const protocols = [LIVE_SUBPROTOCOL, LIVE_AUTHENTICATE]
    const strangers = await Promise.all(Array.from({ length: 20 }, () => open({ protocols })))
    expect(await statusOf({ protocols })).toBe(429)
    expect(await statusOf({ token: project.owner.token })).toBe(101)
    for (const { socket } of strangers) socket.close()
    await Promise.all(strangers.map(({ closed }) => closed))
    await expect.poll(() => statusOf({ protocols })).toBe(101)
  })

  test('a user who leaves the organization gets no more events of it, and keeps events of others', async () => {
    const user = await joined()
    const elsewhere = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const environment = await buildEnvironment(app.ctx, project)
    const reader = await open({ token: user.token })
    await reader.subscribe(`organization:${elsewhere.id}`)
    await reader.subscribe(`environment:${environment.id}`)
    await leave(user)
    expect(await reader.next(isOfType('unsubscribed'))).toMatchObject({
      id: null,
      topic: `environment:${environment.id}`,
    })
    await rename(environment.id, 'Not for them')
    const body = { name: 'Theirs' }
    await app.call('PATCH', `/api/organizations/${elsewhere.id}`, { as: user, body })
    expect((await reader.event('organization.updated')).data).toMatchObject(body)
    expect(JSON.stringify(reader.messages)).not.toContain('Not for them')
    reader.send({ type: 'subscribe', id: 'again', topic: `environment:${environment.id}` })
    expect((await reader.next(isOfType('error'))).code).toBe('not_found')
    reader.socket.close()
  })

  test('no change after a user left is sent, however fast it comes', async () => {
    const environment = await buildEnvironment(app.ctx, project)
    for (let round = 0; round < 10; round++) {
      const user = await joined()
      const reader = await open({ token: user.token })
      await reader.subscribe(`project:${project.id}`)
      const changes = [leave(user), rename(environment.id, `Secret ${round}`), rename(environment.id, `More ${round}`)]
      await Promise.all(changes)
      await rename(environment.id, `Afterwards ${round}`)
      await reader.next(isOfType('unsubscribed'))
      reader.send({ type: 'ping' })
      await reader.next(isOfType('pong'))
      expect(JSON.stringify(reader.messages)).not.toContain('Afterwards')
      reader.socket.close()
    }
  })

  test('a role that shrinks is seen at once, and takes nothing that may still be read', async () => {
    const user = await joined()
    const reader = await open({ token: user.token })
    await reader.subscribe(`organization:${project.organizationId}`)
    const path = `/api/organizations/${project.organizationId}/members/${user.id}`
    await app.call('PATCH', path, { as: project.owner, body: { role: 'viewer' } })
    expect((await reader.event('organization.updated')).data.role).toBe('viewer')
    reader.socket.close()
  })

  test('a sign-in that ends closes its connections', async () => {
    const user = await joined()
    const { cookie } = await buildSession(app.ctx, user.id)
    const bySession = await open({ headers: { cookie, origin: own } })
    const token = await buildToken(app.ctx, user.id, { name: 'to end' })
    const byToken = await open({ token })
    const byFirstMessage = await open({ protocols: [LIVE_SUBPROTOCOL, LIVE_AUTHENTICATE] })
    byFirstMessage.send({ type: 'authenticate', token })
    await byFirstMessage.next(isOfType('authenticated'))
    for (const reader of [bySession, byToken, byFirstMessage]) await reader.subscribe(`project:${project.id}`)
    const tokens: { id: number; name: string }[] = (await app.call('GET', '/api/tokens', { as: user })).body
    await app.call('DELETE', `/api/tokens/${tokens.find(({ name }) => name === 'to end')?.id}`, { as: user })
    expect(await byToken.closed).toBe(LIVE_CLOSE.signInRequired)
    expect(await byFirstMessage.closed).toBe(LIVE_CLOSE.signInRequired)
    const headers = { cookie, origin: 'https://ship.example.com', 'sec-fetch-site': 'same-origin' }
    expect((await app.call('DELETE', '/api/session', { headers })).status).toBe(204)
    expect(await bySession.closed).toBe(LIVE_CLOSE.signInRequired)
  })

  test('a token whose time is over closes its connections', async () => {
    const token = await buildOauthToken(app.ctx, project.owner.id)
    const reader = await open({ token })
    await reader.subscribe(`project:${project.id}`)
    app.moveClock(61 * 60_000)
    expect(await reader.closed).toBe(LIVE_CLOSE.signInRequired)
  })

  test('a client that asks for nothing is disconnected', async () => {
    const reader = await open({ token: project.owner.token })
    reader.send({ type: 'ping' })
    await reader.next(isOfType('pong'))
    app.moveClock(61_000)
    expect(await reader.closed).toBe(LIVE_CLOSE.idle)
  })

  test.each([
    ['{"topic":{"$ne":null}}', 'validation_failed'],
    ['not json', 'malformed_json'],
    ['', 'malformed_json'],
    ['[]', 'validation_failed'],
    ['null', 'validation_failed'],
    ['"subscribe"', 'validation_failed'],
    [`{"type":"subscribe","id":"a","topic":${'['.repeat(20)}${']'.repeat(20)}}`, 'malformed_json'],
    [`{"type":"subscribe","id":"${'a'.repeat(200)}","topic":"project:1"}`, 'validation_failed'],
    ['{"type":"subscribe","id":"a","topic":"project:1","since":{"epoch":"e","seq":-1}}', 'validation_failed'],
    ['{"type":"subscribe","id":"a","topic":"project:1","more":1}', 'validation_failed'],
    ['{"type":"subscribe","id":"a","topic":"project:9007199254740993"}', 'not_found'],
    ['{"type":"subscribe","id":"a","topic":"project:1 or 1=1"}', 'not_found'],
    ['{"type":"subscribe","id":"a","topic":"__proto__"}', 'not_found'],
    ['{"type":"launch"}', 'validation_failed'],
  ])('%s is refused, and the connection goes on', async (text, code) => {
    const reader = await open({ token: project.owner.token })
    reader.send(text)
    expect((await reader.next(isOfType('error'))).code).toBe(code)
    expect((await reader.subscribe(`project:${project.id}`)).recovered).toBe(false)
    reader.socket.close()
  })

  test('frames that no client should send end the connection', async () => {
    const sent: readonly [number, (socket: Awaited<ReturnType<typeof open>>['socket']) => void][] = [
      [1003, (socket) => socket.send(Buffer.from('{"type":"ping"}'))],
      [1009, (socket) => socket.send('x'.repeat(1024 * 1024))],
      [
        1009,
        (socket) => {
          for (let part = 0; part < 20; part++) socket.send('x'.repeat(8 * 1024), { fin: false })
        },
      ],
      [1007, (socket) => socket.send(Buffer.from([0xc3, 0x28]), { binary: false })],
    ]
    for (const [code, send] of sent) {
      const reader = await open({ token: project.owner.token })
      reader.socket.on('error', () => undefined)
      send(reader.socket)
      expect(await reader.closed).toBe(code)
    }
  })

  test('a client that sends too many messages or pings is cut off', async () => {
    const flooding = await open({ token: project.owner.token })
    for (let count = 0; count < 300; count++) flooding.send({ type: 'ping' })
    expect(await flooding.closed).toBe(LIVE_CLOSE.tooMany)
    const pinging = await open({ token: project.owner.token })
    for (let count = 0; count < 300; count++) pinging.socket.ping()
    expect(await pinging.closed).toBe(LIVE_CLOSE.tooMany)
  })

  test('a connection has a hundred topics at most', async () => {
    const reader = await open({ token: project.owner.token })
    for (let count = 0; count < 100; count++) {
      const { id } = await buildEnvironment(app.ctx, project)
      await reader.subscribe(`environment:${id}`)
    }
    reader.send({ type: 'subscribe', id: 'more', topic: `project:${project.id}` })
    expect(await reader.next(isOfType('error'))).toMatchObject({ id: 'more', code: 'too_many_topics' })
    reader.socket.close()
  })
})
