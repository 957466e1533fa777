// The live channel over real connections: which events go to which reader, and what a reader gets who reconnects.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildRunningTask,
  buildServer,
  buildUser,
} from '../../../test/factories.ts'
import { isOfType, openLiveReader } from '../../../test/live-reader.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { appendOutput, beginStep, endStep, endTask } from '../../progress/progress.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'
import { deleteOldJournal } from '../../store/journal.ts'

describe.each(databases)('the live channel on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>

  beforeAll(async () => {
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    project = await buildOwnedProject(app.ctx)
  })

  const read = () => openLiveReader(app.app, { token: project.owner.token })
  const get = async (path: string) => (await app.call('GET', path, { as: project.owner })).body
  const rename = (environmentId: number, title: string) =>
    app.ctx.change(PLATFORM, (tx) => updateEnvironment(tx, environmentId, { title }))

  test('begins with the record as it is, and goes on with what it becomes', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const reader = await read()
    const begun = await reader.subscribe(`environment:${id}`)
    expect(begun).toMatchObject({ id: `to environment:${id}`, topic: `environment:${id}`, recovered: false })
    expect(begun.snapshot?.data).toEqual(await get(`/api/environments/${id}`))
    await app.call('PATCH', `/api/environments/${id}`, { as: project.owner, body: { title: 'New' } })
    const event = await reader.event('environment.updated')
    expect(event.data).toEqual(await get(`/api/environments/${id}`))
    expect(event.seq).toBeGreaterThan(begun.seq)
    reader.socket.close()
  })

  test('reports everything that belongs to a topic', async () => {
    const reader = await read()
    await reader.subscribe(`organization:${project.organizationId}`)
    await reader.subscribe(`project:${project.id}`)
    await app.call('PATCH', `/api/organizations/${project.organizationId}`, {
      as: project.owner,
      body: { name: 'Ours' },
    })
    expect((await reader.event('organization.updated')).data).toMatchObject({ name: 'Ours', role: 'owner' })
    const server = await app.call('POST', '/api/servers', {
      as: project.owner,
      body: { name: 'Second', hostname: 'second.example', organization_id: project.organizationId },
    })
    const event = await reader.event('server.created')
    expect(event).toMatchObject({ topic: `organization:${project.organizationId}`, data: { id: server.body.id } })
    await app.call('DELETE', `/api/servers/${server.body.id}`, { as: project.owner })
    expect((await reader.event('server.deleted')).data).toEqual({ id: server.body.id })
    const made = await app.call('POST', `/api/projects/${project.id}/environments`, {
      as: project.owner,
      body: { name: 'fresh', branch: 'main' },
    })
    expect(await reader.event('environment.created')).toMatchObject({ topic: `project:${project.id}`, data: made.body })
    expect((await reader.event('project.updated')).data).toEqual(await get(`/api/projects/${project.id}`))
    await app.call('DELETE', `/api/environments/${made.body.id}`, { as: project.owner })
    const gone = { id: made.body.id, project_id: project.id }
    expect((await reader.event('environment.deleted')).data).toEqual(gone)
    reader.socket.close()
  })

  test('reports changed variables to the environments that inherit them', async () => {
    const own = await buildOwnedProject(app.ctx)
    const { id } = await buildEnvironment(app.ctx, own)
    const reader = await openLiveReader(app.app, { token: own.owner.token })
    expect((await reader.subscribe(`environment:${id}`)).snapshot?.data).toMatchObject({ variables_changed: false })
    const body = { set: { COLOR: 'blue' } }
    const changed = await app.call('PATCH', `/api/projects/${own.id}/variables`, { as: own.owner, body })
    expect(changed.status).toBe(200)
    const event = await reader.event('environment.updated')
    expect(event.data).toEqual((await app.call('GET', `/api/environments/${id}`, { as: own.owner })).body)
    expect(event.data.variables_changed).toBe(true)
    reader.socket.close()
  })

  test('shows how a task goes, step by step, and what it prints', async () => {
    const environment = await buildEnvironment(app.ctx, project)
    const lease = await buildRunningTask(app.ctx, environment.id)
    const reader = await read()
    await reader.subscribe(`environment:${environment.id}`)
    await reader.subscribe(`task:${lease.taskId}`)
    await reader.subscribe(`task:${lease.taskId}:log`)
    await beginStep(app.ctx, lease, { position: 1, phase: 'Build', key: 'Build', name: 'Build images' })
    const shown = { task_id: lease.taskId, phase_index: 0, index: 0, step: { name: 'Build images', status: 'running' } }
    expect((await reader.event('step.updated')).data).toMatchObject(shown)
    expect((await reader.event('phase.updated')).data).toMatchObject({ index: 0, phase: { name: 'Build' } })
    const log = `/api/tasks/${lease.taskId}/log`
    expect((await reader.event('log.append')).data.text).toBe('==> Build: Build images\n')
    await appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from('half a \u20ac'.slice(0, 7)) })
    await appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from('€\n').subarray(0, 1) })
    await appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from('€\n').subarray(1) })
    await endStep(app.ctx, lease, 1, { status: 'failed', message: 'No such image' })
    await endTask(app.ctx, lease, { status: 'failed' })
    const isOver = (message: (typeof reader.messages)[number]) =>
      message.type === 'event' && message.event === 'task.updated' && message.data.status === 'failed'
    await expect
      .poll(() => reader.messages.filter(isOver).map((message) => 'topic' in message && message.topic))
      .toEqual(expect.arrayContaining([`task:${lease.taskId}`, `environment:${environment.id}`]))
    const whole = (await app.call('GET', log, { as: project.owner })).text
    const printed = () =>
      reader.messages
        .flatMap((one) => (one.type === 'event' && one.event === 'log.append' ? one.data.text : []))
        .join('')
    await expect.poll(printed).toBe(whole)
    expect(whole).toContain('half a €\n')
    reader.socket.close()
  })

  test('sends a client that comes back what changed meanwhile, each record once', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const first = await read()
    const { epoch, seq } = await first.subscribe(`project:${project.id}`)
    first.socket.close()
    await first.closed
    for (const title of ['One', 'Two', 'Three']) await rename(id, title)
    const second = await read()
    const begun = await second.subscribe(`project:${project.id}`, { epoch, seq })
    expect(begun).toMatchObject({ recovered: true, seq })
    expect(begun.snapshot).toBeUndefined()
    const event = await second.event('environment.updated')
    expect(event.data).toEqual(await get(`/api/environments/${id}`))
    await rename(id, 'Four')
    expect((await second.event('environment.updated')).data.title).toBe('Four')
    expect(second.messages.filter(isOfType('event'))).toHaveLength(2)
    second.socket.close()
  })

  test('goes on in a log where a reader was, and from its first byte where there is none', async () => {
    const lease = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
    await appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from('one\ntwo\n') })
    const reader = await read()
    const { epoch } = await reader.subscribe(`task:${lease.taskId}:log`)
    expect((await reader.event('log.append')).data).toMatchObject({ text: 'one\ntwo\n', offset: 8 })
    expect(await reader.subscribe(`task:${lease.taskId}:log`, { epoch, seq: 4 })).toMatchObject({
      recovered: true,
      seq: 4,
    })
    expect((await reader.event('log.append')).data).toMatchObject({ text: 'two\n', offset: 8 })
    for (const since of [
      { epoch, seq: 9 },
      { epoch: 'another', seq: 4 },
    ]) {
      const begun = await reader.subscribe(`task:${lease.taskId}:log`, since)
      expect(begun).toMatchObject({ recovered: false, seq: 0 })
      expect((await reader.event('log.append')).data.text).toBe('one\ntwo\n')
    }
    reader.socket.close()
  })

  test('says so where what was missed is not known any more', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const reader = await read()
    const { epoch, seq } = await reader.subscribe(`environment:${id}`)
    for (const since of [
      { epoch: 'another', seq },
      { epoch, seq: seq + 1000 },
      { epoch, seq: 0 },
    ]) {
      if (since.seq === 0) {
        app.moveClock(11 * 60_000)
        await deleteOldJournal(app.ctx.db, app.ctx.clock())
        await rename(id, 'Later')
      }
      const begun = await reader.subscribe(`environment:${id}`, since)
      expect(begun.recovered).toBe(false)
      expect(begun.snapshot?.data).toEqual(await get(`/api/environments/${id}`))
    }
    reader.socket.close()
  })

  test('shows nothing that the user may not see', async () => {
    const stranger = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    const environment = await buildEnvironment(app.ctx, project)
    const { taskId } = await buildRunningTask(app.ctx, environment.id)
    const server = await buildServer(app.ctx, project.organizationId)
    const reader = await openLiveReader(app.app, { token: stranger.token })
    const topics = [
      ...[`organization:${project.organizationId}`, `project:${project.id}`, `environment:${environment.id}`],
      ...[`task:${taskId}`, `task:${taskId}:log`, `server:${server.id}`, 'project:999999', '*', 'project:*', 'user:1'],
    ]
    for (const topic of topics) {
      reader.send({ type: 'subscribe', id: 'a', topic })
      const { code, detail, id } = await reader.next(isOfType('error'))
      const expected = { id: 'a', code: 'not_found', detail: 'There is no such topic, or it is not yours to see' }
      expect({ id, code, detail }).toEqual(expected)
    }
    await rename(environment.id, 'Secret')
    reader.send({ type: 'ping' })
    await reader.next(isOfType('pong'))
    expect(reader.messages.filter(isOfType('event'))).toEqual([])
    reader.socket.close()
  })
})
