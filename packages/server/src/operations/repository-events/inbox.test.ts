// Deliveries between being stored and applied: failures, waiting, and what a process that ends leaves.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { buildHookedProject, commit, deliver, pullRequest, push, stateOf } from '../../../test/git-host-events.ts'
import { builtBeforeEach } from '../../../test/stage/built-before.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { openTestApp } from '../../../test/test-app.ts'
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { createBus } from '../../progress/bus.ts'
import { openDatabase } from '../../store/database.ts'
import { updateVerdict } from '../../store/repository-events/inbox.ts'
import { stopInbox, workInbox } from './inbox.ts'

describe.each(databases)('the inbox on $name', (source) => {
  const app = stageApp(source)
  const project = builtBeforeEach(() => buildHookedProject(app.ctx))

  const opened = (number: number) => pullRequest('opened', { number, branch: `feature-${number}` })
  const send = (number: number) => deliver(app, project, 'pull_request', opened(number), { id: `delivery-${number}` })
  const listed = async () => {
    const { body } = await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })
    return body.map(({ delivery_id, verdict, reason }: Record<string, string>) => [delivery_id, verdict, reason])
  }
  /** Makes every postponed delivery due. */
  const workNow = async () => {
    await app.ctx.db.updateTable('deliveries').set({ next_at: 0 }).where('verdict', '=', 'stored').execute()
    await workInbox(app.ctx)
    await app.finished()
  }
  /** Without a server no environment can be made: the effect fails by no fault of the delivery. */
  const takeServers = () => app.ctx.db.deleteFrom('project_servers').where('project_id', '=', project.id).execute()
  const giveServers = () =>
    app.ctx.db
      .insertInto('project_servers')
      .values({ project_id: project.id, server_id: project.serverId, position: 0 })
      .execute()

  test('what fails is kept and said to be stored; it is done later, once, and before what came after it', async () => {
    await takeServers()
    const first = await send(1)
    expect([first.status, first.body]).toEqual([202, { verdict: 'stored', reason: null }])
    const second = await send(2)
    expect([second.status, second.body]).toEqual([202, { verdict: 'stored', reason: null }])
    expect(await listed()).toEqual([
      ['delivery-2', 'stored', null],
      ['delivery-1', 'stored', null],
    ])
    await giveServers()
    await workNow()
    expect(await listed()).toEqual([
      ['delivery-2', 'accepted', null],
      ['delivery-1', 'accepted', null],
    ])
    expect((await stateOf(app.ctx, project.id)).environments).toEqual(['pr-1', 'pr-2'])
    expect((await send(1)).body.verdict).toBe('duplicate')
    expect((await stateOf(app.ctx, project.id)).tasks.length).toBe(2)
  })

  test('a delivery that always fails is given up, and does not block others for ever', async () => {
    await takeServers()
    await send(1)
    const pushed = await deliver(app, project, 'push', push({ after: commit('a') }), { id: 'behind' })
    expect(pushed.status).toBe(202)
    for (let count = 0; count < 4; count++) {
      expect((await listed()).at(-1)).toEqual(['delivery-1', 'stored', null])
      await workNow()
    }
    expect(await listed()).toEqual([
      ['behind', 'ignored', 'no_environment'],
      ['delivery-1', 'failed', 'internal_error'],
    ])
    const kept = await app.ctx.db.selectFrom('deliveries').where('project_id', '=', project.id).selectAll().execute()
    expect(kept.map(({ content }) => content)).toEqual([null, null])
    expect(app.logLines.join('')).toContain('could not apply a delivery')
    await giveServers()
    expect((await send(1)).body).toEqual({ verdict: 'accepted', reason: null })
  })

  test('one that another process has done meanwhile is not given up', async () => {
    await send(1)
    const { id } = await app.ctx.db
      .selectFrom('deliveries')
      .where('project_id', '=', project.id)
      .select('id')
      .executeTakeFirstOrThrow()
    await app.ctx.change(PLATFORM, (tx) =>
      updateVerdict(tx, { id, projectId: project.id }, { verdict: 'failed', reason: 'internal_error' }),
    )
    expect(await listed()).toEqual([['delivery-1', 'accepted', null]])
  })

  test('one that takes the process down with it each time is given up', async () => {
    await takeServers()
    await send(1)
    await giveServers()
    await app.ctx.db.updateTable('deliveries').set({ attempts: 5 }).where('project_id', '=', project.id).execute()
    await workNow()
    expect(await listed()).toEqual([['delivery-1', 'failed', 'internal_error']])
  })

  test('an ignored delivery that is sent again is tried again; one that took effect is a duplicate', async () => {
    const fork = { ...opened(7), pull_request: { ...opened(7).pull_request, head: stranger } }
    const again = () => deliver(app, project, 'pull_request', fork, { id: 'one' })
    const off = { verdict: 'ignored', reason: 'fork_pull_requests_off' }
    expect([(await again()).body, (await again()).body]).toEqual([off, off])
    await app.call('PATCH', `/api/projects/${project.id}`, {
      as: project.owner,
      body: { fork_pull_requests: 'approval' },
    })
    expect((await again()).body).toEqual({ verdict: 'accepted', reason: 'awaiting_approval' })
    expect((await again()).body).toEqual({ verdict: 'duplicate', reason: null })
    expect((await stateOf(app.ctx, project.id)).environments).toEqual(['pr-7'])
  })
  const stranger = { ref: 'feature-7', sha: commit('a'), repo: { id: 2, full_name: 'eve/app' } }

  test('a push and an update that found no automatic deployment are deployed when they are sent again with it', async () => {
    await send(7)
    await buildEnvironment(app.ctx, project, { name: 'main' })
    const setAutoDeploy = (isOn: 0 | 1) =>
      app.ctx.db.updateTable('environments').set({ auto_deploy: isOn }).where('project_id', '=', project.id).execute()
    const pushed = () => deliver(app, project, 'push', push({ after: commit('c') }), { id: 'push' })
    const updated = () => {
      const payload = pullRequest('synchronize', { number: 7, branch: 'feature-7', sha: commit('b'), at: 1 })
      return deliver(app, project, 'pull_request', payload, { id: 'update' })
    }
    await setAutoDeploy(0)
    const off = { verdict: 'ignored', reason: 'auto_deploy_off' }
    expect([(await pushed()).body, (await updated()).body]).toEqual([off, off])
    await setAutoDeploy(1)
    const on = { verdict: 'accepted', reason: null }
    expect([(await pushed()).body, (await updated()).body]).toEqual([on, on])
    expect([(await pushed()).body.verdict, (await updated()).body.verdict]).toEqual(['duplicate', 'duplicate'])
    const { tasks } = await stateOf(app.ctx, project.id)
    expect(tasks).toEqual(['pr-7 deploy canceled a', 'main deploy queued c', 'pr-7 deploy queued b'])
  })

  test('a closing that is sent again is no second closing', async () => {
    await deliver(app, project, 'pull_request', pullRequest('closed', { number: 7, at: 1 }), { id: 'before' })
    const closed = () =>
      deliver(app, project, 'pull_request', pullRequest('closed', { number: 7, at: 2 }), { id: 'closing' })
    const none = { verdict: 'ignored', reason: 'no_environment' }
    await deliver(app, project, 'pull_request', pullRequest('reopened', { number: 7, at: 1 }), { id: 'between' })
    await app.ctx.db.updateTable('environments').set({ removed_at: 1 }).where('project_id', '=', project.id).execute()
    expect([(await closed()).body, (await closed()).body, (await closed()).body]).toEqual([none, none, none])
    const reopened = pullRequest('reopened', { number: 7, at: 2 })
    expect((await deliver(app, project, 'pull_request', reopened)).body.verdict).toBe('accepted')
  })

  test('no more than 500 of a project wait; the next one gets 503 with Retry-After', async () => {
    const row = { project_id: project.id, event: 'push', received_at: 1, verdict: 'stored', content: '{' } as const
    const later = { next_at: Number.MAX_SAFE_INTEGER }
    const rows = Array.from({ length: 500 }, (_, index) => ({ ...row, ...later, delivery_id: String(index) }))
    await app.ctx.db.insertInto('deliveries').values(rows).execute()
    expect(await send(1)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '30' },
      body: { code: 'unavailable' },
    })
    await app.ctx.db.deleteFrom('deliveries').where('project_id', '=', project.id).execute()
    expect((await send(1)).status).toBe(200)
  })
})

describe.each(databases)('the inbox of a process that ends, on $name', (source) => {
  test('stored deliveries are applied by the next process, once and in order', async () => {
    const database = await source.open()
    const app = await openTestApp({ ...source, open: async () => ({ ...database, drop: async () => undefined }) })
    const project = await buildHookedProject(app.ctx)
    await buildEnvironment(app.ctx, project, { name: 'main' })
    stopInbox(app.served)
    const shas = ['a', 'b', 'c'].map(commit)
    for (const [index, after] of shas.entries()) {
      const pushed = push({ before: shas[index - 1] ?? commit('0'), after })
      const answer = await deliver(app, project, 'push', pushed, { id: String(index) })
      expect([answer.status, answer.body]).toEqual([202, { verdict: 'stored', reason: null }])
    }
    expect((await stateOf(app.ctx, project.id)).tasks).toEqual([])
    const next = await openDatabase(database.address)
    const works: Promise<void>[] = []
    const afterwards = (work: () => Promise<void>): void => void works.push(work())
    const ctx: Context = { ...app.ctx, db: next.db, bus: createBus(), afterwards }
    await Promise.all([workInbox(ctx), workInbox(ctx)])
    await Promise.all(works)
    expect((await stateOf(ctx, project.id)).tasks).toEqual([
      'main deploy canceled a',
      'main deploy canceled b',
      'main deploy queued c',
    ])
    await next.close()
    await app.close()
    await database.drop()
  })
})
