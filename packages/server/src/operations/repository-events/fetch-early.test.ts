// A delivery that leads to a deployment begins its fetch; no other one does.
import { describe, expect, test, vi } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { commit, NONE, pullRequest, push } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageDeliveries } from '../../../test/stage/stage-deliveries.ts'

const STRANGERS = { headRepository: { id: 2, full_name: 'mallory/app' } }

describe.each(databases)('what a delivery has fetched on $name', (source) => {
  const app = stageApp(source)
  const { project, deliverEvent } = stageDeliveries(app)

  /** The projects and branches that were fetched for it. */
  const fetchedFor = async (event: string, payload: unknown): Promise<unknown[]> => {
    const fetching = vi.spyOn(app.ctx.repositories, 'fetchEarly')
    await deliverEvent(event, payload)
    await app.finished()
    const calls = fetching.mock.calls.map(([{ projectId, address }, branch]) => [projectId, address, branch])
    fetching.mockRestore()
    return calls
  }

  test('a push to a branch that is deployed, and a pull request of its own', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    const { repo_url: address } = project
    expect(await fetchedFor('push', push({ after: commit('a') }))).toEqual([[project.id, address, 'main']])
    expect(await fetchedFor('pull_request', pullRequest('opened'))).toEqual([[project.id, address, 'feature']])
  })

  test.each([
    ['a branch that no environment follows', 'push', push({ branch: 'other', after: commit('a') })],
    ['a branch that is gone', 'push', push({ before: commit('a'), after: NONE })],
    ['a commit that asks to be left alone', 'push', push({ after: commit('b'), message: 'No [skip ci]' })],
    ['a stranger’s pull request', 'pull_request', pullRequest('opened', STRANGERS)],
    ['one that is closed', 'pull_request', pullRequest('closed')],
    ['a ping', 'ping', { zen: 'x', hook: {}, repository: { id: 1, full_name: 'acme/app' } }],
  ])('nothing for %s', async (_, event, payload) => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    expect(await fetchedFor(event, payload)).toEqual([])
  })

  test('nothing for an environment that is protected', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main', is_protected: 1 })
    expect(await fetchedFor('push', push({ after: commit('a') }))).toEqual([])
  })

  test('what cannot be fetched is left to the deployment, which is queued all the same', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    const fetching = vi.spyOn(app.ctx.repositories, 'fetchEarly').mockRejectedValue(new Error('nobody there'))
    expect(await deliverEvent('push', push({ after: commit('a') }))).toEqual({ verdict: 'accepted', reason: null })
    await app.finished()
    expect(fetching).toHaveBeenCalledOnce()
    fetching.mockRestore()
  })
})
