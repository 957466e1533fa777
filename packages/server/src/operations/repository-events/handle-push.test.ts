// Pushes: what they deploy, in whichever order they arrive, and what keeps them from it.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { takeNext } from '../../../test/deployments.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { commit, NONE, push } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageDeliveries } from '../../../test/stage/stage-deliveries.ts'
import { endTask } from '../../progress/progress.ts'

describe.each(databases)('pushes on $name', (source) => {
  const app = stageApp(source)
  const { project, deliverEvent, state, finish } = stageDeliveries(app)

  test('three pushes while it is deployed give exactly one more, of the last commit', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    await deliverEvent('push', push({ after: commit('a') }))
    const lease = await takeNext(app.ctx)
    for (const [before, after] of ['ab', 'bc', 'cd']) {
      await deliverEvent('push', push({ before: commit(before ?? ''), after: commit(after ?? '') }))
    }
    expect((await state()).tasks).toEqual([
      'main deploy running a',
      'main deploy canceled b',
      'main deploy canceled c',
      'main deploy queued d',
    ])
    expect((await state()).rows.tasks.map(({ reason }) => reason)).toEqual([null, 'superseded', 'superseded', null])
    await endTask(app.ctx, lease, { status: 'succeeded' })
    await finish()
    expect((await state()).tasks.filter((task) => !task.includes('canceled')).length).toBe(2)
  })

  test('an older push that comes late deploys nothing, and neither does one that is sent again', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    const older = push({ before: commit('a'), after: commit('b') })
    const newer = push({ before: commit('b'), after: commit('c') })
    await deliverEvent('push', newer)
    expect(await deliverEvent('push', older)).toEqual({ verdict: 'ignored', reason: 'outdated' })
    expect(await deliverEvent('push', newer)).toEqual({ verdict: 'ignored', reason: 'outdated' })
    expect(await deliverEvent('push', push({ before: NONE, after: commit('a') }))).toMatchObject({ reason: 'outdated' })
    expect((await state()).tasks).toEqual(['main deploy queued c'])
  })

  test('a branch that is led back by force is deployed from there', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    await deliverEvent('push', push({ before: commit('a'), after: commit('b') }))
    const back = push({ before: commit('b'), after: commit('a'), forced: true })
    expect(await deliverEvent('push', back)).toEqual({ verdict: 'accepted', reason: null })
    expect((await state()).tasks).toEqual(['main deploy canceled b', 'main deploy queued a'])
  })

  test('a forced push after a lost one is deployed as the branch stands, and once', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    await deliverEvent('push', push({ before: commit('a'), after: commit('b') }))
    // What led from b to c got lost.
    const back = push({ before: commit('c'), after: commit('a'), forced: true })
    expect(await deliverEvent('push', back)).toEqual({ verdict: 'accepted', reason: null })
    expect((await state()).tasks).toEqual(['main deploy canceled b', 'main deploy queued '])
    expect(await deliverEvent('push', back)).toEqual({ verdict: 'ignored', reason: 'outdated' })
    const next = push({ before: commit('a'), after: commit('d') })
    expect(await deliverEvent('push', next)).toEqual({ verdict: 'accepted', reason: null })
    expect(await deliverEvent('push', back)).toEqual({ verdict: 'ignored', reason: 'outdated' })
    expect((await state()).tasks.at(-1)).toBe('main deploy queued d')
  })

  test('of pushes that arrive in the wrong order none deploys a commit that is not the newest', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    await deliverEvent('push', push({ before: commit('c'), after: commit('d') }))
    const older = push({ before: commit('a'), after: commit('b') })
    expect(await deliverEvent('push', older)).toEqual({ verdict: 'accepted', reason: null })
    expect((await state()).tasks).toEqual(['main deploy canceled d', 'main deploy queued '])
  })

  test('a commit that asks to be left alone is left alone after a lost push, too', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    await deliverEvent('push', push({ before: commit('a'), after: commit('b') }))
    const skipped = push({ before: commit('c'), after: commit('d'), message: 'Docs [skip ci]' })
    expect(await deliverEvent('push', skipped)).toEqual({ verdict: 'ignored', reason: 'skip_requested' })
  })

  test.each([
    ['a branch that nothing follows', push({ branch: 'other', after: commit('a') }), 'no_environment'],
    ['a branch that was deleted', push({ before: commit('a'), after: NONE }), 'branch_deleted'],
    ['a commit that asks to be left alone', push({ after: commit('a'), message: 'Fix [skip ci]' }), 'skip_requested'],
    ['a tag', { ...push({ after: commit('a') }), ref: 'refs/tags/v1' }, 'not_a_branch'],
  ])('%s deploys nothing', async (_, payload, reason) => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    expect(await deliverEvent('push', payload)).toEqual({ verdict: 'ignored', reason })
    expect((await state()).tasks).toEqual([])
  })

  test('protection comes before auto-deploy, and both before a deployment', async () => {
    const environment = await buildEnvironment(app.ctx, project, { name: 'main' })
    const set = (values: { is_protected?: 0 | 1; auto_deploy?: 0 | 1 }) =>
      app.ctx.db.updateTable('environments').set(values).where('id', '=', environment.id).execute()
    await set({ is_protected: 1, auto_deploy: 1 })
    expect(await deliverEvent('push', push({ after: commit('a') }))).toMatchObject({ reason: 'environment_protected' })
    await set({ is_protected: 0, auto_deploy: 0 })
    expect(await deliverEvent('push', push({ before: commit('a'), after: commit('b') }))).toMatchObject({
      reason: 'auto_deploy_off',
    })
    await set({ is_protected: 1 })
    expect(await deliverEvent('push', push({ before: commit('b'), after: commit('c') }))).toMatchObject({
      reason: 'environment_protected',
    })
    expect((await state()).tasks).toEqual([])
  })

  test('protecting an environment takes back what a push has queued', async () => {
    const environment = await buildEnvironment(app.ctx, project, { name: 'main' })
    await deliverEvent('push', push({ after: commit('a') }))
    const body = { protected: true }
    await app.call('PATCH', `/api/environments/${environment.id}`, { as: project.owner, body })
    const { rows } = await state()
    expect(rows.tasks).toMatchObject([{ status: 'canceled', reason: 'protected' }])
  })

  test('a push replaces a queued deployment, and never a running one', async () => {
    const environment = await buildEnvironment(app.ctx, project, { name: 'main' })
    await buildTask(app.ctx, environment.id)
    await deliverEvent('push', push({ after: commit('a') }))
    expect((await state()).tasks).toEqual(['main deploy canceled ', 'main deploy queued a'])
  })
})
