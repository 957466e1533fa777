// The limit of a project, and the line of pull requests before it.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildProject } from '../../../test/factories.ts'
import { buildHookedProject, commit, deliver, pullRequest, push, stateOf } from '../../../test/git-host-events.ts'
import { builtBeforeEach } from '../../../test/stage/built-before.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { admitWaitingOf } from './admit-pull-request.ts'

describe.each(databases)('the limit on $name', (source) => {
  const app = stageApp(source)
  const project = builtBeforeEach(() => buildHookedProject(app.ctx, { environment_limit: 2 }))

  const deliverEvent = async (payload: unknown, event = 'pull_request') =>
    (await deliver(app, project, event, payload)).body
  const open = (number: number) => deliverEvent(pullRequest('opened', { number, branch: `branch-${number}` }))
  const names = async () => (await stateOf(app.ctx, project.id)).environments
  const waiting = async () => {
    const { body, headers } = await app.call('GET', `/api/projects/${project.id}/waiting`, { as: project.owner })
    expect(headers.link).toBeUndefined()
    return body.map((entry: { number: number }) => entry.number)
  }
  const remove = async (name: string) => {
    const { rows } = await stateOf(app.ctx, project.id)
    const { id } = rows.environments.find((environment) => environment.name === name) ?? { id: 0 }
    await app.ctx.db
      .updateTable('tasks')
      .set({ status: 'canceled', finished_at: 1 })
      .where('environment_id', '=', id)
      .execute()
    expect((await app.call('DELETE', `/api/environments/${id}`, { as: project.owner })).status).toBe(202)
  }

  test('at the limit a pull request waits, and gets its environment when one goes, oldest first', async () => {
    await buildEnvironment(app.ctx, project, { name: 'main' })
    await open(1)
    for (const number of [2, 3, 4]) {
      app.moveClock(1000)
      expect(await open(number)).toEqual({ verdict: 'accepted', reason: 'environment_limit_reached' })
    }
    expect([await names(), await waiting()]).toEqual([
      ['main', 'pr-1'],
      [2, 3, 4],
    ])
    await remove('main')
    await admitWaitingOf(app.ctx, project.id)
    expect([await names(), await waiting()]).toEqual([
      ['pr-1', 'pr-2'],
      [3, 4],
    ])
    expect((await stateOf(app.ctx, project.id)).tasks).toContain('pr-2 deploy queued a')
    // A later pull request does not jump the queue.
    await remove('pr-1')
    expect(await open(5)).toEqual({ verdict: 'accepted', reason: 'environment_limit_reached' })
    expect([await names(), await waiting()]).toEqual([
      ['pr-2', 'pr-3'],
      [4, 5],
    ])
  })

  test('one that is closed leaves the line', async () => {
    for (const number of [1, 2, 3, 4]) await open(number)
    expect(await deliverEvent(pullRequest('closed', { number: 3, at: 5 }))).toEqual({
      verdict: 'accepted',
      reason: null,
    })
    await remove('pr-1')
    await admitWaitingOf(app.ctx, project.id)
    expect([await names(), await waiting()]).toEqual([['pr-2', 'pr-4'], []])
  })

  test('an existing environment is deployed again at the limit', async () => {
    await open(1)
    await open(2)
    const answer = await deliverEvent(push({ branch: 'branch-1', before: commit('a'), after: commit('b') }), 'push')
    expect(answer).toEqual({ verdict: 'accepted', reason: null })
  })

  test('a waiting pull request gets the commit that is the newest when it is admitted', async () => {
    for (const number of [1, 2, 3]) await open(number)
    await deliverEvent(pullRequest('synchronize', { number: 3, branch: 'branch-3', at: 5, sha: commit('b') }))
    await remove('pr-1')
    await admitWaitingOf(app.ctx, project.id)
    expect((await stateOf(app.ctx, project.id)).tasks).toContain('pr-3 deploy queued b')
  })

  test('a higher limit lets more in', async () => {
    for (const number of [1, 2, 3]) await open(number)
    await app.ctx.db.updateTable('projects').set({ environment_limit: 3 }).where('id', '=', project.id).execute()
    await admitWaitingOf(app.ctx, project.id)
    expect(await names()).toEqual(['pr-1', 'pr-2', 'pr-3'])
  })

  test('a hundred that are opened at once never exceed the limit', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
    await Promise.all(numbers.map(open))
    await app.finished()
    expect((await names()).length).toBe(2)
    const rows = await app.ctx.db
      .selectFrom('pull_requests')
      .where('project_id', '=', project.id)
      .where('waiting_since', 'is not', null)
      .select('number')
      .execute()
    expect(rows.length).toBe(98)
  })

  const explained = async () => {
    const { body } = await app.call('GET', `/api/projects/${project.id}/waiting`, { as: project.owner })
    return body.map(({ number, reason, detail }: Record<string, unknown>) => [number, reason, detail])
  }
  /** An environment of another project that has the name of a pull request here. */
  const takeName = async (organizationId: number, name: string) => {
    const place = { organizationId, ownerId: project.owner.id }
    const other = await buildProject(app.ctx, place, { name: `Other ${name}`, domain: project.domain })
    return buildEnvironment(app.ctx, other, { name, type: 'pull_request', pull_request_number: Number(name.slice(3)) })
  }

  test('a taken domain stays with its environment, and the reason names that environment', async () => {
    const other = await takeName(project.organizationId, 'pr-1')
    expect(await open(1)).toEqual({ verdict: 'accepted', reason: 'domain_taken' })
    const sentence = `${other.domain} is taken by the environment pr-1 of the project Other pr-1. Give that one another domain, or delete it`
    expect(await explained()).toEqual([[1, 'domain_taken', sentence]])
    await app.ctx.db.deleteFrom('environments').where('id', '=', other.id).execute()
    expect(await explained()).toEqual([[1, null, null]])
    await admitWaitingOf(app.ctx, project.id)
    expect(await names()).toEqual(['pr-1'])
  })

  test('nothing is said of an environment of another organization', async () => {
    const foreign = await buildHookedProject(app.ctx)
    const other = await takeName(foreign.organizationId, 'pr-2')
    await open(2)
    const sentence = `${other.domain} is taken by an environment of another organization. Ask the administrator of the platform`
    expect(await explained()).toEqual([[2, 'domain_taken', sentence]])
  })

  test('one that waits because of the limit says so', async () => {
    for (const number of [1, 2, 3]) await open(number)
    expect(await explained()).toEqual([
      [3, 'environment_limit_reached', 'The project has 2 of 2 environments. It gets its own when one is deleted'],
    ])
  })
})
