// Deliveries that come again, late, out of order or all at once: a commit is deployed once, and an older one never after a newer.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { deliverAs, dialects } from '../../../test/git-host-dialects.ts'
import {
  buildHookedProject,
  commit,
  deliver,
  type HookedProject,
  pullRequest,
  push,
  stateOf,
} from '../../../test/git-host-events.ts'
import { byTurns } from '../../../test/stage/by-turns.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('repeated deliveries on $name', (source) => {
  const app = stageApp(source)
  let project: HookedProject
  beforeEach(() => endAllTasks(app.ctx))

  const state = async () => {
    await app.finished()
    return stateOf(app.ctx, project.id)
  }
  const active = async () => (await state()).tasks.filter((task) => /queued|running/.test(task))

  describe.each(dialects)('of $name', (dialect) => {
    beforeEach(async () => {
      const { repository_host } = dialect
      project = await buildHookedProject(app.ctx, { repository_host })
      await buildEnvironment(app.ctx, project, { name: 'main' })
    })

    const sent = { push: dialect.push({ branch: 'main', sha: commit('b') }), pullRequest: dialect.pullRequest({}) }

    // Each on one of the databases, and on the other in the next dialect: both meet both.
    const kinds = (from: number) => byTurns(source, ['push', 'pullRequest'] as const, dialects.indexOf(dialect) + from)

    test.each(kinds(0))('the same id twice is one %s', async (kind) => {
      const send = () => deliverAs(dialect, { app, hookId: project.hook_id }, sent[kind], { id: 'one' })
      const answers = await Promise.all([send(), send(), send()])
      expect(answers.map(({ body }) => body.verdict).toSorted()).toEqual(['accepted', 'duplicate', 'duplicate'])
      expect((await state()).tasks.length).toBe(1)
    })

    test.each(kinds(1))('without an id, the same %s is one, however it is written', async (kind) => {
      const { event, payload } = sent[kind]
      const texts = [JSON.stringify(payload), JSON.stringify(payload), JSON.stringify(payload, null, 2)]
      const verdicts: string[] = []
      for (const text of texts) {
        const to = { app, hookId: project.hook_id }
        verdicts.push((await deliverAs(dialect, to, { event, payload: text }, { id: '' })).body.verdict)
      }
      expect(verdicts).toEqual(['accepted', 'duplicate', 'ignored'])
      expect((await state()).tasks.length).toBe(1)
    })
  })

  describe('all at once', () => {
    beforeEach(async () => {
      project = await buildHookedProject(app.ctx, { fork_pull_requests: 'approval' })
    })

    const deliverEvent = (event: string, payload: unknown) => deliver(app, project, event, payload)

    test('a hundred pull requests never exceed the limit of twenty', async () => {
      const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
      const answers = await Promise.all(
        numbers.map((number) =>
          deliverEvent('pull_request', pullRequest('opened', { number, branch: `branch-${number}` })),
        ),
      )
      // A busy machine takes longer than the git host can be left waiting.
      expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([])
      const { environments, tasks } = await state()
      expect([environments.length, tasks.length]).toEqual([20, 20])
    })

    test('twenty pull requests of a stranger leave the slots to the project’s own', async () => {
      const headRepository = { id: 2 }
      const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
      await Promise.all(
        numbers.map((number) => deliverEvent('pull_request', pullRequest('opened', { number, headRepository }))),
      )
      // Where the machine is busy they are still being worked on.
      await app.finished()
      const own = await deliverEvent('pull_request', pullRequest('opened', { number: 21 }))
      // Behind twenty others on a busy machine, it is stored and takes effect a moment later.
      expect([200, 202]).toContain(own.status)
      await expect.poll(async () => (await state()).tasks).toEqual(['pr-21 deploy queued a'])
      const { body } = await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })
      expect(body[0]).toMatchObject({ verdict: 'accepted', reason: null })
    })

    test('a push, a close and a reopening leave one task at most', async () => {
      await deliverEvent('pull_request', pullRequest('opened', { number: 7 }))
      await Promise.all([
        deliverEvent('push', push({ branch: 'feature', before: commit('a'), after: commit('b') })),
        deliverEvent('pull_request', pullRequest('closed', { number: 7, at: 1, sha: commit('b') })),
        deliverEvent('pull_request', pullRequest('reopened', { number: 7, at: 2, sha: commit('b') })),
      ])
      expect((await active()).length).toBe(1)
      expect((await state()).environments).toEqual(['pr-7'])
    })

    test('a hundred pushes leave what runs, and one more', async () => {
      await buildEnvironment(app.ctx, project, { name: 'main' })
      const shas = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(40, 'a'))
      await deliverEvent('push', push({ after: commit('a') }))
      await takeNext(app.ctx)
      await Promise.all(
        shas.map((after, index) => deliverEvent('push', push({ before: shas[index - 1] ?? commit('a'), after }))),
      )
      expect((await active()).length).toBe(2)
    })
  })
})
