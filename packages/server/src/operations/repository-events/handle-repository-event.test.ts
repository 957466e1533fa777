// Environments that come and go with what happens in the repository.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { takeNext } from '../../../test/deployments.ts'
import { buildHookedProject, commit, deliver, pullRequest, push, stateOf } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageDeliveries } from '../../../test/stage/stage-deliveries.ts'
import { endTask } from '../../progress/progress.ts'

describe.each(databases)('events of a git host on $name', (source) => {
  const app = stageApp(source)
  const { project, deliverEvent, state, finish } = stageDeliveries(app)
  const protect = () =>
    app.ctx.db.updateTable('environments').set({ is_protected: 1 }).where('project_id', '=', project.id).execute()

  test('a pull request gets an environment, which is deployed', async () => {
    expect(await deliverEvent('pull_request', pullRequest('opened'))).toEqual({ verdict: 'accepted', reason: null })
    const { environments, tasks, rows } = await state()
    expect([environments, tasks]).toEqual([['pr-7'], ['pr-7 deploy queued a']])
    expect(rows.tasks[0]).toMatchObject({ cause: 'pull_request' })
    const url = `/api/projects/${project.id}/environments`
    expect((await app.call('GET', url, { as: project.owner })).body[0]).toMatchObject({
      name: 'pr-7',
      type: 'pull_request',
      domain: `pr-7.${project.domain}`,
      branch: 'feature',
      pull_request: { number: 7, title: 'Add a feature', author: 'ada', state: 'open', is_fork: false },
      owner: { id: project.owner.id },
      status: 'deploying',
      locked: true,
    })
  })

  test('a draft gets one like any other, and nothing more when it is ready', async () => {
    await deliverEvent('pull_request', pullRequest('opened', { isDraft: true }))
    expect(await deliverEvent('pull_request', pullRequest('ready_for_review', { at: 5 }))).toEqual({
      verdict: 'ignored',
      reason: 'nothing_new',
    })
    expect((await state()).tasks).toEqual(['pr-7 deploy queued a'])
  })

  test.each(['merged', 'closed'])('a pull request that is %s takes its environment with it', async (how) => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish()
    expect(await deliverEvent('pull_request', pullRequest('closed', { at: 9, isMerged: how === 'merged' }))).toEqual({
      verdict: 'accepted',
      reason: null,
    })
    expect((await state()).tasks).toEqual(['pr-7 deploy succeeded a', 'pr-7 remove queued '])
  })

  test('opened and merged at once leaves nothing behind, in whichever order the events arrive', async () => {
    const opened = pullRequest('opened')
    const merged = pullRequest('closed', { isMerged: true, at: 1 })
    await deliverEvent('pull_request', opened)
    await deliverEvent('pull_request', merged)
    expect((await state()).environments).toEqual([])
    const [late, early] = [pullRequest('opened', { number: 8 }), pullRequest('closed', { number: 8, isMerged: true })]
    await deliverEvent('pull_request', early)
    expect(await deliverEvent('pull_request', late)).toEqual({ verdict: 'ignored', reason: 'outdated' })
    expect((await state()).environments).toEqual([])
    const domains = app.ctx.db.selectFrom('domains').where('domain', 'like', `%${project.domain}`).selectAll()
    expect(await domains.execute()).toEqual([])
  })

  test('merged while it is deployed, it goes when the deployment has ended', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    const lease = await takeNext(app.ctx)
    await deliverEvent('push', push({ branch: 'feature', before: commit('a'), after: commit('b') }))
    await deliverEvent('pull_request', pullRequest('closed', { isMerged: true, at: 1, sha: commit('b') }))
    expect((await state()).tasks).toEqual(['pr-7 deploy running a', 'pr-7 deploy canceled b', 'pr-7 remove queued '])
    await endTask(app.ctx, lease, { status: 'succeeded' })
    expect(await deliverEvent('push', push({ branch: 'feature', before: commit('b'), after: commit('c') }))).toEqual({
      verdict: 'ignored',
      reason: 'environment_removing',
    })
  })

  test('a protected environment is kept when its pull request ends, and says so', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish()
    await protect()
    expect(await deliverEvent('pull_request', pullRequest('closed', { at: 9, isMerged: true }))).toEqual({
      verdict: 'accepted',
      reason: 'kept_protected',
    })
    const { environments, rows } = await state()
    expect(environments).toEqual(['pr-7'])
    const answer = await app.call('GET', `/api/environments/${rows.environments[0]?.id}`, { as: project.owner })
    expect(answer.body.pull_request.state).toBe('merged')
  })

  test('opened again, it has an environment again', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await deliverEvent('pull_request', pullRequest('closed', { at: 5 }))
    expect((await state()).environments).toEqual([])
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 5 }))).toMatchObject({
      verdict: 'accepted',
    })
    expect((await state()).environments).toEqual(['pr-7'])
  })

  test('a late reopening after a second closing brings nothing back', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await deliverEvent('pull_request', pullRequest('closed', { at: 5 }))
    await deliverEvent('pull_request', pullRequest('closed', { at: 9 }))
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 7 }))).toEqual({
      verdict: 'ignored',
      reason: 'outdated',
    })
    expect((await state()).environments).toEqual([])
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 12 }))).toMatchObject({
      verdict: 'accepted',
    })
  })

  test('neither does one of the same second', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    for (const _ of ['first', 'second']) await deliverEvent('pull_request', pullRequest('closed', { at: 5 }))
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 5 }))).toMatchObject({ reason: 'outdated' })
    expect((await state()).environments).toEqual([])
  })

  test('an end without branch and commit takes the environment with it', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish()
    const closed = pullRequest('closed', { at: 9 })
    const altered = { ...closed, pull_request: { ...closed.pull_request, head: null, updated_at: null } }
    expect(await deliverEvent('pull_request', altered)).toEqual({ verdict: 'accepted', reason: null })
    expect((await state()).tasks).toEqual(['pr-7 deploy succeeded a', 'pr-7 remove queued '])
    const [row] = await app.ctx.db
      .selectFrom('pull_requests')
      .where('project_id', '=', project.id)
      .selectAll()
      .execute()
    expect(row).toMatchObject({ state: 'closed', branch: 'feature', head_sha: commit('a') })
  })

  test('the end of an unknown pull request is recorded without an environment', async () => {
    const closed = pullRequest('closed', { at: 9 })
    const altered = { ...closed, pull_request: { ...closed.pull_request, head: null } }
    expect(await deliverEvent('pull_request', altered)).toMatchObject({ reason: 'no_environment' })
    expect(await deliverEvent('pull_request', pullRequest('opened', { at: 2 }))).toMatchObject({ reason: 'outdated' })
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 12 }))).toMatchObject({
      verdict: 'accepted',
    })
    expect((await state()).tasks).toEqual(['pr-7 deploy queued a'])
  })

  test('opened again before its removal has begun, it stays and is deployed', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish()
    await deliverEvent('pull_request', pullRequest('closed', { at: 5 }))
    await deliverEvent('pull_request', pullRequest('reopened', { at: 6, sha: commit('b') }))
    expect((await state()).tasks).toEqual(['pr-7 deploy succeeded a', 'pr-7 remove canceled ', 'pr-7 deploy queued b'])
  })

  test('opened again while it is being removed, it waits for the end of that', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish()
    await deliverEvent('pull_request', pullRequest('closed', { at: 5 }))
    await takeNext(app.ctx)
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 6 }))).toEqual({
      verdict: 'accepted',
      reason: 'environment_removing',
    })
    const waiting = await app.call('GET', `/api/projects/${project.id}/waiting`, { as: project.owner })
    const detail = 'Its earlier environment is still being removed'
    expect(waiting.body).toMatchObject([{ number: 7, reason: 'environment_removing', detail }])
  })

  test('what was merged is never opened again', async () => {
    await deliverEvent('pull_request', pullRequest('closed', { isMerged: true }))
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 60 }))).toMatchObject({
      reason: 'outdated',
    })
  })

  test('a removed environment does not come back with the next commit', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    const { rows } = await state()
    await app.ctx.db
      .updateTable('tasks')
      .set({ status: 'canceled', finished_at: 1 })
      .where('id', '=', rows.tasks[0]?.id ?? 0)
      .execute()
    await app.call('DELETE', `/api/environments/${rows.environments[0]?.id}`, { as: project.owner })
    const synchronize = pullRequest('synchronize', { at: 5, sha: commit('b') })
    expect(await deliverEvent('pull_request', synchronize)).toMatchObject({ reason: 'environment_removed_by_hand' })
    expect(await deliverEvent('pull_request', pullRequest('opened', { at: 5 }))).toMatchObject({ verdict: 'ignored' })
    expect((await state()).environments).toEqual([])
    expect(await deliverEvent('pull_request', pullRequest('reopened', { at: 9 }))).toMatchObject({
      verdict: 'accepted',
    })
  })

  test('a pull request that was never heard of is met at its next commit', async () => {
    await deliverEvent('pull_request', pullRequest('synchronize'))
    expect((await state()).tasks).toEqual(['pr-7 deploy queued a'])
  })

  test('the title follows, and is no reason to deploy', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish('failed')
    const edited = pullRequest('edited', { title: 'Another title', at: 4, more: { changes: { base: { ref: {} } } } })
    expect(await deliverEvent('pull_request', edited)).toEqual({ verdict: 'ignored', reason: 'nothing_new' })
    const { rows, tasks } = await state()
    expect([rows.environments[0]?.pull_request_title, tasks.length]).toEqual(['Another title', 1])
  })

  test('a commit that arrives twice, as a push and as an event of the pull request, is deployed once', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish()
    await deliverEvent('push', push({ branch: 'feature', before: commit('a'), after: commit('b') }))
    await finish('failed')
    const synchronize = pullRequest('synchronize', { at: 5, sha: commit('b') })
    expect(await deliverEvent('pull_request', synchronize)).toEqual({ verdict: 'ignored', reason: 'nothing_new' })
    await deliverEvent('pull_request', pullRequest('synchronize', { at: 6, sha: commit('c') }))
    const other = push({ branch: 'feature', before: commit('b'), after: commit('c') })
    expect(await deliverEvent('push', other)).toEqual({ verdict: 'ignored', reason: 'nothing_new' })
    expect((await state()).tasks).toEqual(['pr-7 deploy succeeded a', 'pr-7 deploy failed b', 'pr-7 deploy queued c'])
  })

  test('a commit that asks not to be deployed is not deployed by the event of its pull request either', async () => {
    await deliverEvent('pull_request', pullRequest('opened'))
    await finish()
    await deliverEvent(
      'push',
      push({ branch: 'feature', before: commit('a'), after: commit('b'), message: '[ci skip] x' }),
    )
    await deliverEvent('pull_request', pullRequest('synchronize', { at: 4, sha: commit('b') }))
    expect((await state()).tasks).toEqual(['pr-7 deploy succeeded a'])
  })

  test('two projects of one repository each have their own', async () => {
    const other = await buildHookedProject(app.ctx)
    const opened = pullRequest('opened')
    await deliver(app, project, 'pull_request', opened, { id: 'the same' })
    expect((await deliver(app, other, 'pull_request', opened, { id: 'the same' })).body.verdict).toBe('accepted')
    expect((await stateOf(app.ctx, other.id)).environments).toEqual(['pr-7'])
  })

  test('a project on its way out takes no events', async () => {
    await app.ctx.db.updateTable('projects').set({ deleting_since: 1 }).where('id', '=', project.id).execute()
    expect(await deliverEvent('pull_request', pullRequest('opened'))).toMatchObject({ reason: 'project_deleting' })
  })
})
