// Service logs over the live channel, read by the real program on this machine.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildEnvironment, buildServer, buildToken, buildUser } from '../../../test/factories.ts'
import { isOfType, type LiveReader, openLiveReader } from '../../../test/live-reader.ts'
import { oneDatabase } from '../../../test/one-database.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { findProcesses } from '../../../test/process-list.ts'
import { openLocalLogs } from '../../../test/service-logs/local-logs.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'

const WAIT = { timeout: 120_000 }

describe.each(oneDatabase)('service logs on $name', (source) => {
  const logs = openLocalLogs()
  let app: TestApp
  const readers: LiveReader[] = []
  beforeAll(async () => {
    app = await openTestApp(source, { apiRequestsPerMinute: 100_000 }, { serviceLogs: logs.serviceLogs })
    await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await app.close()
    logs.remove()
  })
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.socket.close()
    await isNothingLeft()
  })

  const build = async () => {
    const project = await buildOwnedProject(app.ctx)
    const server = await buildServer(app.ctx, project.organizationId, { connection: 'local', edge: 'embedded' })
    const environment = await buildEnvironment(app.ctx, project, { server_id: server.id })
    return { project, environment, server, topic: `environment:${environment.id}:output` }
  }
  const open = async (token: string): Promise<LiveReader> => {
    const reader = await openLiveReader(app.app, { token })
    readers.push(reader)
    return reader
  }
  const isNothingLeft = async () => {
    await expect.poll(() => logs.following.now, WAIT).toBe(0)
    await expect.poll(() => findProcesses(logs.folder), WAIT).toEqual([])
  }
  const sees = (reader: LiveReader, texts: readonly string[]) =>
    expect.poll(() => textsOf(reader).toSorted(), WAIT).toEqual(texts.toSorted())

  test('what is there comes first, then each new line once, for all who follow by one process', async () => {
    const { project, environment, topic } = await build()
    logs.write(environment.id, 'web', 'one', 'two')
    logs.write(environment.id, 'api', 'three')
    const before = logs.following.ever
    const [first, second] = [await open(project.owner.token), await open(project.owner.token)]
    expect(await first.subscribe(topic)).toMatchObject({ recovered: false })
    await second.subscribe(topic, undefined, { services: ['web'], tail: 1 })
    await sees(first, ['one', 'two', 'three'])
    await sees(second, ['two'])
    // Not before what was printed: a page can say that there is nothing.
    for (const [reader, lines] of [
      [first, 3],
      [second, 1],
    ] as const) {
      await reader.event('output.current')
      const kinds = reader.messages.flatMap((one) => (one.type === 'event' ? [one.event] : []))
      expect(kinds.indexOf('output.current')).toBe(lines)
    }
    logs.write(environment.id, 'web', 'four')
    logs.write(environment.id, 'api', 'five')
    logs.write(environment.id, 'web', 'six')
    await sees(first, ['one', 'two', 'three', 'four', 'five', 'six'])
    await sees(second, ['two', 'four', 'six'])
    expect(logs.following.ever - before).toBe(1)
    const line = await first.event('output.append')
    expect(line).toMatchObject({ topic, data: { environment_id: environment.id, service: 'web' } })
    expect(line.data.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
    expect(line.seq).toBe(Date.parse(`${line.data.time.slice(0, 23)}Z`) * 1000 + Number(line.data.time.slice(23, 26)))
  })

  test('a reader that comes back gets everything from its place on', async () => {
    const { project, environment, topic } = await build()
    logs.write(environment.id, 'web', 'one', 'two', 'three')
    const first = await open(project.owner.token)
    const { epoch } = await first.subscribe(topic, undefined, { tail: 2 })
    await sees(first, ['two', 'three'])
    const { seq } = await first.event('output.append')
    first.socket.close()
    await isNothingLeft()
    logs.write(environment.id, 'web', 'four')
    const second = await open(project.owner.token)
    expect(await second.subscribe(topic, { epoch, seq }, { tail: 2 })).toMatchObject({ recovered: true, seq })
    await sees(second, ['two', 'three', 'four'])
    logs.write(environment.id, 'web', 'five')
    await sees(second, ['two', 'three', 'four', 'five'])
  })

  test('an end, a search and a service that is not there', async () => {
    const { project, environment, topic } = await build()
    logs.write(environment.id, 'web', 'a needle', 'hay', 'another needle')
    const reader = await open(project.owner.token)
    await reader.subscribe(topic, undefined, { follow: false, grep: 'needle' })
    expect(await reader.event('output.end')).toMatchObject({ data: { environment_id: environment.id } })
    expect(textsOf(reader)).toEqual(['a needle', 'another needle'])
    await reader.subscribe(topic, undefined, { until: '2026-01-01T00:00:00Z' })
    await reader.event('output.end')
    reader.send({ type: 'subscribe', id: 'x', topic, options: { services: ['web', 'wbe'] } })
    const detail = 'No service is called wbe. There are web'
    const code = 'service_not_found'
    expect(await reader.next(isOfType('error'))).toEqual({ type: 'error', id: 'x', code, detail, known: ['web'] })
    await isNothingLeft()
  })

  test('values of variables are hidden, also those that are set while it is followed', async () => {
    const { project, environment, topic } = await build()
    const set = (key: string, value: string) =>
      app.call('PATCH', `/api/environments/${environment.id}/variables`, {
        as: project.owner,
        body: { set: { [key]: value } },
      })
    expect((await set('PASSWORD', 'correct-horse')).status).toBe(200)
    logs.write(environment.id, 'web', 'it is correct-horse', `long ${'x'.repeat(3460)}correct-horse`)
    const reader = await open(project.owner.token)
    await reader.subscribe(topic)
    await sees(reader, ['it is [hidden]', `long ${'x'.repeat(3460)}[hidden]`])
    expect((await set('TOKEN', 'battery-staple')).status).toBe(200)
    logs.write(environment.id, 'web', 'then battery-staple', `piece ${'x'.repeat(3460)}battery-staple`)
    await expect
      .poll(() => textsOf(reader).slice(2), WAIT)
      .toEqual(['then [hidden]', `piece ${'x'.repeat(3460)}[hidden]`])
  })

  test('strangers see no topic, and a token without the scope of certificates is refused', async () => {
    const { project, environment, topic } = await build()
    logs.write(environment.id, 'web', 'one')
    const stranger = await open((await buildUser(app.ctx)).token)
    stranger.send({ type: 'subscribe', id: 'x', topic })
    expect(await stranger.next(isOfType('error'))).toMatchObject({ id: 'x', code: 'not_found' })
    const narrow = await open(await buildToken(app.ctx, project.owner.id, { scopes: 'read' }))
    narrow.send({ type: 'subscribe', id: 'x', topic })
    expect(await narrow.next(isOfType('error'))).toMatchObject({ id: 'x', code: 'insufficient_scope' })
    const other = await build()
    const owner = await open(project.owner.token)
    owner.send({ type: 'subscribe', id: 'x', topic, options: { server_id: other.server.id } })
    expect(await owner.next(isOfType('error'))).toMatchObject({ id: 'x', code: 'not_found' })
    owner.send({ type: 'subscribe', id: 'y', topic: `environment:${environment.id}`, options: {} })
    expect(await owner.next(isOfType('error'))).toMatchObject({ id: 'y', code: 'validation_failed' })
    expect(textsOf(stranger).concat(textsOf(narrow))).toEqual([])
  })

  test('who loses access sees nothing more, and the process ends with its last reader', async () => {
    const { project, environment, topic } = await build()
    const member = await buildUser(app.ctx)
    await app.ctx.db
      .insertInto('memberships')
      .values({ organization_id: project.organizationId, user_id: member.id, role: 'viewer', created_at: 0 })
      .execute()
    logs.write(environment.id, 'web', 'one')
    const reader = await open(member.token)
    await reader.subscribe(topic)
    await sees(reader, ['one'])
    const path = `/api/organizations/${project.organizationId}/members/${member.id}`
    expect((await app.call('DELETE', path, { as: project.owner })).status).toBe(204)
    expect(await reader.next(isOfType('unsubscribed'))).toMatchObject({ id: null, topic })
    await isNothingLeft()
    logs.write(environment.id, 'web', 'two')
    expect(textsOf(reader)).toEqual(['one'])
  })

  test('with the environment the subscription ends', async () => {
    const { project, environment, topic } = await build()
    logs.write(environment.id, 'web', 'one')
    const reader = await open(project.owner.token)
    await reader.subscribe(topic)
    await sees(reader, ['one'])
    await app.ctx.change(PLATFORM, (tx) => updateEnvironment(tx, environment.id, { removed_at: app.ctx.clock() }))
    expect(await reader.next(isOfType('unsubscribed'))).toMatchObject({ id: null, topic })
  })

  test('with the environment it ends also while what was printed before is still read', async () => {
    const { project, environment, topic } = await build()
    logs.write(environment.id, 'web', 'one')
    const removed = Promise.withResolvers<void>()
    logs.reading.endsAfter = removed.promise
    const reader = await open(project.owner.token)
    await reader.subscribe(topic)
    await sees(reader, ['one'])
    await app.ctx.change(PLATFORM, (tx) => updateEnvironment(tx, environment.id, { removed_at: app.ctx.clock() }))
    removed.resolve()
    expect(await reader.next(isOfType('unsubscribed'))).toMatchObject({ id: null, topic })
    expect(reader.socket.readyState).toBe(reader.socket.OPEN)
  })

  test('an environment has at most eight followers', async () => {
    const { project, environment, topic } = await build()
    logs.write(environment.id, 'web', 'one')
    const eight = await Promise.all(Array.from({ length: 8 }, () => open(project.owner.token)))
    for (const reader of eight) await reader.subscribe(topic, undefined, { tail: 0 })
    const ninth = await open(project.owner.token)
    ninth.send({ type: 'subscribe', id: 'x', topic })
    const refused = await ninth.next(isOfType('error'))
    expect(refused).toMatchObject({ id: 'x', code: 'too_many_followers' })
    expect(refused.detail).toContain('Close one of them')
    eight[0]?.send({ type: 'unsubscribe', id: 'y', topic })
    await eight[0]?.next(isOfType('unsubscribed'))
    expect(await ninth.subscribe(topic)).toMatchObject({ topic })
  })
})

const textsOf = ({ messages }: LiveReader): string[] =>
  messages.flatMap((one) => (one.type === 'event' && one.event === 'output.append' ? [one.data.text.slice(31)] : []))
