// A task that another platform process takes over, perhaps a newer one: what of the earlier run is taken, and what is not.
import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { type Answers, runIt, takeNext } from '../../test/deployments.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { PlatformStopping } from '../remote/host.ts'
import { insertOrUpdateVariables, variableContext } from '../store/environments/variables.ts'

describe.each(databases)('a task that is taken over on $name', (source) => {
  const app = stageApp(source)
  const { built, lease } = stageDeployment(app)

  const taskOf = () =>
    app.ctx.db.selectFrom('tasks').where('id', '=', lease.taskId).selectAll().executeTakeFirstOrThrow()
  const stepsOf = () =>
    app.ctx.db.selectFrom('steps').where('task_id', '=', lease.taskId).orderBy('position').selectAll().execute()
  const change = (values: object, position: number) =>
    app.ctx.db
      .updateTable('steps')
      .set(values)
      .where('task_id', '=', lease.taskId)
      .where('position', '=', position)
      .execute()
  const serving = async () => {
    const rows = app.ctx.db.selectFrom('routes').where('domain', 'like', `%${built.project.domain}`).select('task_id')
    return [...new Set((await rows.execute()).map(({ task_id }) => task_id))]
  }
  /** Runs it until the platform stops in the middle of what is answered so. */
  const runUntil = async (at: (stop: () => never) => Answers) => {
    const stopper = new AbortController()
    const stop = () => {
      stopper.abort('stopping')
      throw stopper.signal.reason
    }
    await runIt(app.ctx, lease, { answers: at(stop), stopper })
    expect((await taskOf()).status).toBe('running')
  }
  const takeOver = async () => runIt(app.ctx, await takeNext(app.ctx))
  const untilPush = () => runUntil((stop) => ({ push: stop }))
  const untilCleanUp = () => runUntil((stop) => ({ host: { list: stop } }))

  const updated = 'The platform was updated while this ran'

  test('goes on where its steps are the same', async () => {
    await untilPush()
    // The step that was interrupted is done again, and sees to it that this process has the commit.
    expect((await takeOver()).slice(0, 2)).toEqual(['fetch', 'push'])
    expect((await taskOf()).status).toBe('succeeded')
  })

  test('takes nothing of another step that stands in the same place, begins nothing, and says so', async () => {
    await untilPush()
    // As a platform left it that did something else there.
    await change({ key: 'Allot ports' }, 3)
    expect(await takeOver()).toEqual([])
    expect(await taskOf()).toMatchObject({ status: 'failed', reason: 'interrupted', switched_at: null })
    const steps = await stepsOf()
    expect(steps.at(-1)).toMatchObject({ status: 'failed', kind: 'check', phase: 'Transfer' })
    expect(steps.at(-1)?.message).toContain(`${updated}, and the new version does it in other steps`)
    expect(steps.at(-1)?.message).toContain('Domains still lead to what was live before. Deploy again')
    expect(steps.filter(({ status }) => status === 'running')).toEqual([])
    expect(await serving()).toEqual([built.liveId])
  })

  test('is refused by a check that it had not met: no result of another step is taken for it', async () => {
    await untilPush()
    const owner = { kind: 'environment', id: built.environment.id } as const
    await app.ctx.change(PLATFORM, (tx) =>
      insertOrUpdateVariables(tx, owner, {
        variables: [{ key: 'TOKEN', valueSealed: 'not sealed at all' }],
        at: 1,
        by: built.project.owner_id,
      }),
    )
    expect(await takeOver()).toEqual([])
    expect(await taskOf()).toMatchObject({ status: 'failed', reason: 'interrupted' })
    expect((await stepsOf()).at(-1)?.message).toMatch(
      /^TOKEN cannot be read: .*\nDomains still lead to what was live before/s,
    )
  })

  test('after its switch has put its commit into service, whatever a newer platform does afterwards', async () => {
    await untilCleanUp()
    const last = (await stepsOf()).at(-1)?.position ?? 0
    await change({ key: 'Remove the old version' }, last)
    expect(await takeOver()).toEqual([])
    expect(await taskOf()).toMatchObject({ status: 'succeeded', reason: null, switched_at: expect.any(Number) })
    expect((await stepsOf()).at(-1)?.message).toContain('The new version serves already')
    expect((await stepsOf()).filter(({ status }) => status === 'running')).toEqual([])
    expect(await serving()).toEqual([built.taskId])
  })

  test('that had come to more steps than the program has is not called done with those open', async () => {
    await untilCleanUp()
    const { phase, position } = (await stepsOf()).at(-1) ?? { phase: '', position: 0 }
    const extra = { phase, key: 'Drain the old version', name: 'Drain', status: 'running', kind: 'check' } as const
    await app.ctx.db
      .insertInto('steps')
      .values({ ...extra, task_id: lease.taskId, position: position + 1 })
      .execute()
    await takeOver()
    expect((await taskOf()).status).toBe('succeeded')
    expect((await stepsOf()).map(({ status }) => status).filter((status) => status !== 'succeeded')).toEqual([
      'skipped',
    ])
  })

  test.each([
    ['goes on with rows from before steps had keys', {}, 'succeeded'],
    ['takes no such row that is called something else', { name: 'Something else' }, 'failed'],
  ])('%s', async (_, renamed, status) => {
    await untilPush()
    for (const { position } of await stepsOf()) await change({ key: null, ...(position === 2 && renamed) }, position)
    await takeOver()
    expect((await taskOf()).status).toBe(status)
  })

  test('keeps the recipe that it began with', async () => {
    await untilPush()
    const recipes = { default_recipe: 'docker' } as const
    await app.ctx.db.updateTable('projects').set(recipes).where('id', '=', built.project.id).execute()
    expect((await takeOver()).some((line) => line.startsWith('start '))).toBe(true)
    expect(await taskOf()).toMatchObject({ status: 'succeeded', recipe: 'manual' })
  })

  test.each([undefined, 'canceled_by_user'])(
    'is left to the next process where the platform stops while a server says nothing (%s)',
    async (reason) => {
      const stopper = new AbortController()
      const silence = () => {
        if (reason) stopper.abort(reason)
        throw new PlatformStopping()
      }
      await runIt(app.ctx, lease, { answers: { host: { start: silence, cancel: silence } }, stopper })
      expect(await taskOf()).toMatchObject({ status: 'running', lease_until: 0 })
      await takeOver()
      expect((await taskOf()).status).toBe('succeeded')
    },
  )

  test('has keys of ours in the records, whatever the mask and the repository make of its names', async () => {
    const owner = { kind: 'environment', id: built.environment.id } as const
    const value = app.ctx.box.seal('Restart', variableContext(owner, 'WORD'))
    await app.ctx.change(PLATFORM, (tx) =>
      insertOrUpdateVariables(tx, owner, {
        variables: [{ key: 'WORD', valueSealed: value }],
        at: 1,
        by: built.project.owner_id,
      }),
    )
    await runIt(app.ctx, lease)
    const steps = await stepsOf()
    expect(steps.map(({ key }) => key)).toContain('Deploy task 2')
    expect(JSON.stringify(steps.map(({ key, name }) => [key, name]))).not.toContain('Restart')
  })
})
