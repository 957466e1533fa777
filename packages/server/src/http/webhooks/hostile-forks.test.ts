// Whose branch a pull request is of, by every git host: a stranger's unless it is beyond doubt that it is the project's own.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { deliverAs, dialects, type TestRepository } from '../../../test/git-host-dialects.ts'
import {
  buildHookedProject,
  commit,
  deliver,
  type HookedProject,
  pullRequest,
  stateOf,
} from '../../../test/git-host-events.ts'
import { byTurns } from '../../../test/stage/by-turns.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const strangers: readonly (readonly [string, TestRepository | null])[] = [
  ['a repository that is gone', null],
  ['a repository without an id', {}],
  ['another repository', { id: 2 }],
  ['another one that says it is no fork', { id: 2, fork: false }],
  ['another one of the same name', { id: 2, full_name: 'acme/app' }],
  ['an id that is written otherwise', { id: '1' }],
  ['an id that is empty', { id: '' }],
  ['an id that is nothing', { id: null }],
  ['an id that is a list', { id: [1] }],
  ['an id that is true', { id: true }],
]

describe.each(databases)('forks on $name', (source) => {
  const app = stageApp(source)
  let project: HookedProject

  const state = () => stateOf(app.ctx, project.id)
  const environmentId = async () => (await state()).rows.environments[0]?.id ?? 0
  const shown = async () =>
    (await app.call('GET', `/api/environments/${await environmentId()}`, { as: project.owner })).body
  const approve = async (sha: string) =>
    app.call('POST', `/api/environments/${await environmentId()}/approval`, {
      as: project.owner,
      body: { commit_sha: sha },
    })

  describe.each(dialects)('of $name', (dialect) => {
    beforeEach(async () => {
      const { repository_host } = dialect
      project = await buildHookedProject(app.ctx, { repository_host, fork_pull_requests: 'approval' })
    })

    const deliverEvent = async (event: Parameters<typeof dialect.pullRequest>[0]) =>
      (await deliverAs(dialect, { app, hookId: project.hook_id }, dialect.pullRequest(event))).body

    // Each on one of the databases, and on the other in the next dialect: both meet all of them.
    const inTurn = byTurns(source, strangers, dialects.indexOf(dialect))
    test.each(inTurn)('%s is a stranger’s', async (_, head) => {
      expect(await deliverEvent({ head })).toEqual({ verdict: 'accepted', reason: 'awaiting_approval' })
      expect(await shown()).toMatchObject({
        status: 'awaiting_approval',
        effective_recipe: 'docker',
        pull_request: { is_fork: true },
      })
      expect((await state()).tasks).toEqual([])
    })

    test('the same id is the project’s own, however its name is written', async () => {
      const head = { id: 1, full_name: 'Acme/App', fork: true }
      expect(await deliverEvent({ head })).toEqual({ verdict: 'accepted', reason: null })
      expect(await shown()).toMatchObject({ effective_recipe: 'manual', pull_request: { is_fork: false } })
    })

    test.each(inTurn)('%s is left alone where the project does not take strangers', async (_, head) => {
      await app.ctx.db.updateTable('projects').set({ fork_pull_requests: 'off' }).where('id', '=', project.id).execute()
      expect(await deliverEvent({ head })).toEqual({ verdict: 'ignored', reason: 'fork_pull_requests_off' })
      expect((await state()).environments).toEqual([])
    })

    test('one commit is approved, and the next is looked at anew', async () => {
      await deliverEvent({ head: null })
      expect((await approve(commit('b'))).body.code).toBe('too_late')
      expect((await approve(commit('a'))).status).toBe(201)
      const moved = await deliverEvent({ head: null, action: 'updated', sha: commit('b'), at: 5 })
      expect(moved).toEqual({ verdict: 'accepted', reason: 'awaiting_approval' })
      expect((await state()).tasks).toEqual(['pr-7 deploy queued a'])
    })

    test('a stranger who is said to be none later stays one', async () => {
      await deliverEvent({ head: { id: 2 } })
      await deliverEvent({ head: { id: 1 }, action: 'updated', sha: commit('b'), at: 5 })
      expect(await shown()).toMatchObject({ status: 'awaiting_approval', pull_request: { is_fork: true } })
      expect((await state()).tasks).toEqual([])
    })

    test('one of the project’s own that turns out to be a stranger’s is deployed no more', async () => {
      await deliverEvent({})
      await deliverEvent({ head: null, action: 'updated', sha: commit('b'), at: 5 })
      expect(await shown()).toMatchObject({ effective_recipe: 'docker', pull_request: { is_fork: true } })
      expect((await state()).tasks).toEqual(['pr-7 deploy queued a'])
    })

    test('a stranger’s that is closed goes, also when its repository is gone', async () => {
      await deliverEvent({ head: { id: 2 } })
      expect(await deliverEvent({ head: null, action: 'closed', at: 5 })).toMatchObject({ verdict: 'accepted' })
      expect((await state()).environments).toEqual([])
    })
  })

  test.each(['OWNER', 'MEMBER', 'CONTRIBUTOR'])('being called %s by GitHub gives a fork no rights', async (who) => {
    project = await buildHookedProject(app.ctx, { fork_pull_requests: 'approval' })
    const opened = pullRequest('opened', { headRepository: { id: 2 } })
    const altered = { ...opened, pull_request: { ...opened.pull_request, author_association: who } }
    const { body } = await deliver(app, project, 'pull_request', altered)
    expect(body).toEqual({ verdict: 'accepted', reason: 'awaiting_approval' })
  })

  test('a commit that Bitbucket shortens is approved by its full name', async () => {
    const [dialect] = dialects.filter(({ name }) => name === 'Bitbucket Cloud')
    if (!dialect) throw new Error('There is no such dialect')
    project = await buildHookedProject(app.ctx, { repository_host: 'bitbucket', fork_pull_requests: 'approval' })
    const altered = dialect.pullRequest({ head: null, sha: 'a'.repeat(12) })
    await deliverAs(dialect, { app, hookId: project.hook_id }, altered)
    expect((await approve(commit('b'))).body.code).toBe('too_late')
    expect((await approve(commit('a'))).body).toMatchObject({ commit: { sha: commit('a') } })
  })
})
