// Pull requests of strangers: nothing of theirs runs before a member has approved that commit.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildUser } from '../../../test/factories.ts'
import { buildHookedProject, commit, deliver, pullRequest, push, stateOf } from '../../../test/git-host-events.ts'
import { builtBeforeEach } from '../../../test/stage/built-before.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { endTask } from '../../progress/progress.ts'
import { findTaskToRun } from '../../store/tasks/tasks-to-run.ts'

const stranger = { id: 2, full_name: 'stranger/app' }

describe.each(databases)('pull requests of forks on $name', (source) => {
  const app = stageApp(source)
  const takesForks = { fork_pull_requests: 'approval', environment_limit: 1 } as const
  const project = builtBeforeEach(() => buildHookedProject(app.ctx, takesForks))
  beforeEach(() => endAllTasks(app.ctx))

  const deliverEvent = async (payload: unknown, event = 'pull_request') =>
    (await deliver(app, project, event, payload)).body
  const open = (number = 7) => deliverEvent(pullRequest('opened', { number, headRepository: stranger, branch: 'main' }))
  const state = () => stateOf(app.ctx, project.id)
  const environmentId = async () => (await state()).rows.environments[0]?.id ?? 0
  const get = async () =>
    (await app.call('GET', `/api/environments/${await environmentId()}`, { as: project.owner })).body
  const readProject = () => app.call('GET', `/api/projects/${project.id}`, { as: project.owner })
  const approve = async (sha: string, as: { token: string } = project.owner) =>
    app.call('POST', `/api/environments/${await environmentId()}/approval`, { as, body: { commit_sha: sha } })
  const memberWith = async (role: 'member' | 'admin') => {
    const user = await buildUser(app.ctx)
    const values = { organization_id: project.organizationId, user_id: user.id, role, created_at: 1 }
    await app.ctx.db.insertInto('memberships').values(values).execute()
    return user
  }

  test('are left alone where the project does not take them', async () => {
    await app.ctx.db.updateTable('projects').set({ fork_pull_requests: 'off' }).where('id', '=', project.id).execute()
    expect(await open()).toEqual({ verdict: 'ignored', reason: 'fork_pull_requests_off' })
    expect((await state()).environments).toEqual([])
  })

  test.each([
    ['another repository', stranger],
    ['no repository', null],
    ['an owner of the repository, from another one', { ...stranger, author_association: 'OWNER' }],
  ])('await approval when they come from %s', async (_, headRepository) => {
    expect(await deliverEvent(pullRequest('opened', { headRepository }))).toEqual({
      verdict: 'accepted',
      reason: 'awaiting_approval',
    })
    expect((await state()).tasks).toEqual([])
    expect(await get()).toMatchObject({
      status: 'awaiting_approval',
      recipe: 'docker',
      effective_recipe: 'docker',
      pull_request: { is_fork: true, head_sha: commit('a') },
    })
  })

  test('take no slot while they wait', async () => {
    for (let number = 1; number <= 20; number++) await open(number)
    expect(await deliverEvent(pullRequest('opened', { number: 50 }))).toEqual({ verdict: 'accepted', reason: null })
    expect((await state()).tasks).toEqual(['pr-50 deploy queued a'])
    const list = await app.call('GET', `/api/projects/${project.id}/environments`, { as: project.owner })
    expect(list.headers['x-service-environments']).toBe('1/1')
    expect((await readProject()).body).toMatchObject({ environment_count: 21, environments_used: 1 })
  })

  test('take their slot with the approval and keep it, with a change event of the project', async () => {
    await open()
    const changed: number[] = []
    const stop = app.ctx.bus.listen((event) => {
      if (event.about === 'project') changed.push(event.id)
    })
    await approve(commit('a'))
    stop()
    expect(changed).toContain(project.id)
    expect((await readProject()).body.environments_used).toBe(1)
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    await deliverEvent(
      pullRequest('synchronize', { headRepository: stranger, branch: 'main', at: 5, sha: commit('b') }),
    )
    expect(await get()).toMatchObject({ status: 'awaiting_approval' })
    expect((await readProject()).body).toMatchObject({ environment_count: 1, environments_used: 1 })
  })

  test('cannot be deployed by the button before they are approved', async () => {
    await open()
    const url = `/api/environments/${await environmentId()}/tasks`
    const answer = await app.call('POST', url, { as: project.owner })
    expect([answer.status, answer.body.code]).toEqual([409, 'approval_required'])
    const named = await app.call('POST', url, { as: project.owner, body: { commit: commit('a') } })
    expect(named.body.code).toBe('approval_required')
  })

  test('are approved commit by commit', async () => {
    await open()
    const other = await approve(commit('b'))
    expect([other.status, other.body.code]).toEqual([409, 'too_late'])
    expect((await approve(commit('a'))).body).toMatchObject({ status: 'queued', commit: { sha: commit('a') } })
    expect(await get()).toMatchObject({ status: 'deploying' })
    expect((await approve(commit('a'))).body.code).toBe('too_late')
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    const synchronize = pullRequest('synchronize', {
      headRepository: stranger,
      branch: 'main',
      at: 5,
      sha: commit('b'),
    })
    expect(await deliverEvent(synchronize)).toEqual({ verdict: 'accepted', reason: 'awaiting_approval' })
    expect(await get()).toMatchObject({ status: 'awaiting_approval', live: { commit_sha: commit('a') } })
    expect((await state()).tasks).toEqual(['pr-7 deploy succeeded a'])
    const again = await app.call('POST', `/api/environments/${await environmentId()}/tasks`, { as: project.owner })
    expect(again.body.commit.sha).toBe(commit('a'))
  })

  test('are deployed at the commit that was approved, without the manual recipe', async () => {
    await open()
    await approve(commit('a'))
    const { taskId } = await takeNext(app.ctx)
    expect(await findTaskToRun(app.ctx.db, taskId)).toMatchObject({
      commitSha: commit('a'),
      isCommitAdmitted: true,
      recipe: 'docker',
      environment: { isFork: true, pullRequestNumber: 7 },
    })
    const url = `/api/environments/${await environmentId()}`
    const answer = await app.call('PATCH', url, { as: project.owner, body: { recipe: 'manual' } })
    expect(answer.body.errors).toMatchObject([{ pointer: '/recipe', code: 'not_for_forks' }])
    expect((await app.call('PATCH', url, { as: project.owner, body: { recipe: null } })).status).toBe(422)
  })

  test('take a slot when they are approved, if there is one', async () => {
    await open(7)
    await deliverEvent(pullRequest('opened', { number: 8 }))
    const answer = await approve(commit('a'))
    expect([answer.status, answer.body.code, answer.body.limit]).toEqual([409, 'environment_limit_reached', 1])
  })

  test('are approved by an administrator or the owner of the project', async () => {
    await open()
    expect((await approve(commit('a'), await memberWith('member'))).body.code).toBe('insufficient_role')
    const owner = await memberWith('member')
    await app.ctx.db.updateTable('projects').set({ owner_id: owner.id }).where('id', '=', project.id).execute()
    expect((await approve(commit('a'), owner)).status).toBe(201)
  })

  test('do not follow a branch of the project that is called the same', async () => {
    await open()
    await approve(commit('a'))
    expect(await deliverEvent(push({ branch: 'main', after: commit('c') }), 'push')).toEqual({
      verdict: 'ignored',
      reason: 'no_environment',
    })
  })

  test('are gone when they are closed', async () => {
    await open()
    expect(await deliverEvent(pullRequest('closed', { headRepository: stranger, at: 9 }))).toMatchObject({
      verdict: 'accepted',
    })
    expect((await state()).environments).toEqual([])
  })

  test.each([
    ['another target', pullRequest('edited', { headRepository: stranger, at: 5, more: { changes: { base: {} } } })],
    [
      'opening them again',
      pullRequest('reopened', { headRepository: stranger, at: 5, more: { sender: { login: 'x' } } }),
    ],
  ])('are not made friends by %s', async (_, payload) => {
    await open()
    await deliverEvent(payload)
    expect(await get()).toMatchObject({ status: 'awaiting_approval', pull_request: { is_fork: true } })
    expect((await state()).tasks).toEqual([])
  })
})
