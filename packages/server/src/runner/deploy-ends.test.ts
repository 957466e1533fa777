// How a manual deployment ends beside its steps: what it takes away, what cannot stop it any more, and its limits of time.
import { describe, expect, test } from 'vitest'
import { runIt, takeNext } from '../../test/deployments.ts'
import { buildTask } from '../../test/factories.ts'
import { followed } from '../../test/fake-host.ts'
import { oneDatabase } from '../../test/one-database.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { CommandStopped, ConnectionLost, ServerUnreachable } from '../remote/host.ts'
import { SourceError } from '../source/source-error.ts'

describe.each(oneDatabase)('the end of a manual deployment on $name', (source) => {
  const app = stageApp(source, { taskMinutes: 7, stepMinutes: 9 })
  const { built, lease, taskOf, stepsOf } = stageDeployment(app)

  const outputOf = async () => {
    const rows = app.ctx.db.selectFrom('outputs').where('task_id', '=', built.taskId).orderBy('output_from').selectAll()
    return Buffer.concat((await rows.execute()).map(({ bytes }) => bytes)).toString()
  }
  const servingTasks = async () => {
    const rows = app.ctx.db.selectFrom('routes').where('domain', 'like', `%${built.project.domain}`).selectAll()
    return (await rows.execute()).map(({ task_id }) => task_id)
  }

  test('takes away what is left of tasks that nothing needs, and leaves what serves or is not known', async () => {
    const own = `environments/${built.environment.id}`
    const failed = await buildTask(app.ctx, built.environment.id, { status: 'failed', started_at: 1, finished_at: 2 })
    const found = [
      own,
      ...[failed.id, 'not-ours', built.liveId, built.taskId, 99_999_999].map((name) => `${own}/releases/${name}`),
      ...[failed.id, built.liveId, built.taskId].map((name) => `${own}/tasks/${name}`),
      `${own}/tasks/${failed.id}/1`,
    ]
    const host = { list: { stdout: found.map((path) => `${path}\n`).join('') } }
    const folder = '/home/shipway/.shipway/test'
    expect((await runIt(app.ctx, lease, { answers: { host } })).slice(-3, -1)).toEqual([
      `cancel ${folder}/${own}/tasks/${failed.id}/1`,
      `remove ${folder} ${own}/releases/${failed.id} ${own}/tasks/${failed.id} ${own}/tasks/${built.liveId}`,
    ])
  })

  test.each([
    [
      'is out of reach',
      new ServerUnreachable('connect', 'The server does not answer'),
      'now: The server does not answer',
    ],
    ['breaks off', new ConnectionLost('The connection broke'), 'now: The connection broke'],
    ['answers something else', new Error('a secret of ours'), 'now\n'],
  ])('succeeds although the server %s when the old releases should go, and says so', async (_, error, said) => {
    await runIt(app.ctx, lease, { answers: { host: { list: refuse(error) } } })
    expect(await taskOf()).toMatchObject({ status: 'succeeded', reason: null })
    expect((await stepsOf()).at(-2)).toMatchObject({ name: 'Remove old releases', status: 'succeeded' })
    expect(await outputOf()).toContain(`What is left over could not be removed ${said}`)
    expect(await outputOf()).not.toContain('a secret of ours')
  })

  test('a release in which something works stays, and the output says so', async () => {
    const own = `environments/${built.environment.id}`
    const failed = await buildTask(app.ctx, built.environment.id, { status: 'failed', started_at: 1, finished_at: 2 })
    const path = `${own}/releases/${failed.id}`
    await runIt(app.ctx, lease, { answers: { host: { list: { stdout: path }, remove: { stdout: `${path}\n` } } } })
    expect(await outputOf()).toContain(`${path} stays for now: a process works in it\n`)
  })

  test.each([
    ['web has printed 5000 bytes: only the last 1000 of them are kept', { stdout: 'SENTENCE\n' }],
    ['What earlier releases have printed could not be kept: no space', { exitCode: 1, stderr: 'no space\n' }],
    ['reading it took too long', refuse(new CommandStopped('timed_out'))],
  ])('what could not be kept of earlier output is said, and nothing fails: %s', async (sentence, answer) => {
    const keeping = 'stdout' in answer ? { stdout: `${sentence}\n` } : answer
    await runIt(app.ctx, lease, { answers: { host: { 'keep-files': keeping } } })
    expect(await taskOf()).toMatchObject({ status: 'succeeded', reason: null })
    expect(await outputOf()).toContain(`${sentence}\n`)
  })

  test('a commit that was let go of between the push and the checkout is sent again', async () => {
    let isFirst = true
    const checkout = () => {
      const error = new SourceError('failed', 'no such ref')
      if (isFirst) {
        isFirst = false
        throw error
      }
    }
    const lines = await runIt(app.ctx, lease, { answers: { checkout } })
    expect(lines.filter((line) => line === 'push')).toHaveLength(2)
    expect(await taskOf()).toMatchObject({ status: 'succeeded' })
  })

  test('canceled after the switch it has succeeded, as what serves shows', async () => {
    const stopper = new AbortController()
    const cancel = () => {
      stopper.abort('canceled_by_user')
      return {}
    }
    await runIt(app.ctx, lease, { answers: { host: { list: cancel } }, stopper })
    expect(await taskOf()).toMatchObject({ status: 'succeeded', reason: null })
    expect(await servingTasks()).toEqual([built.taskId, built.taskId])
  })

  test('records that fail at the moment of the switch do not make a failure of what serves', async () => {
    let isOut = false
    const clock = (): number => {
      if (isOut) throw new Error('the records are out of reach')
      return app.ctx.clock()
    }
    const endListening = app.ctx.bus.listen(({ about }) => {
      if (about === 'routes') isOut = true
    })
    await runIt({ ...app.ctx, clock }, lease)
    endListening()
    expect(await servingTasks()).toEqual([built.taskId, built.taskId])
    expect(await taskOf()).toMatchObject({ status: 'running' })
    await app.ctx.db.updateTable('tasks').set({ lease_until: 0 }).where('id', '=', built.taskId).execute()
    await runIt(app.ctx, await takeNext(app.ctx))
    expect(await taskOf()).toMatchObject({ status: 'succeeded', epoch: 2 })
    expect((await stepsOf()).every(({ status }) => status === 'succeeded')).toBe(true)
  })

  test.each(['in the middle', 'before it is known to run'])(
    'a command that a dead process left %s is ended where the task was canceled meanwhile, and its output stored',
    async (when) => {
      const die = new AbortController()
      const dead = () => {
        die.abort('lost')
        throw new CommandStopped('aborted')
      }
      const at = when === 'in the middle' ? 'follow' : 'start'
      await runIt(app.ctx, lease, { answers: { host: { [at]: dead } }, stopper: die })
      await app.ctx.db.updateTable('tasks').set({ lease_until: 0 }).where('id', '=', built.taskId).execute()
      const canceled = new AbortController()
      canceled.abort('canceled_by_user')
      const host = { follow: { stdout: followed('the last words\n', 143) } }
      const lines = await runIt(app.ctx, await takeNext(app.ctx), { answers: { host }, stopper: canceled })
      expect(lines.map((line) => line.replace(/ .*\//, ' '))).toEqual(['cancel 1', 'follow 1'])
      expect(await taskOf()).toMatchObject({ status: 'canceled', reason: 'canceled_by_user' })
      expect((await stepsOf()).at(-1)).toMatchObject({ name: 'Build', status: 'canceled' })
      expect(await outputOf()).toContain('the last words\n')
    },
  )

  test('a command that takes longer than a step may says how long that is', async () => {
    const host = { follow: { stdout: '\nshipway-step follows\nexit 143 0 timed_out\n' } }
    await runIt(app.ctx, lease, { answers: { host } })
    expect(await taskOf()).toMatchObject({ status: 'failed', reason: 'timed_out' })
    const message = 'The step did not end within 9 minutes and was stopped'
    expect((await stepsOf()).at(-1)).toMatchObject({ name: 'Build', kind: 'timeout', message })
  })

  test.each([
    ['3s', '3 seconds'],
    ['90s', '90 seconds'],
    ['10m', '10 minutes'],
  ])('a command that takes longer than its own timeout: %s says exactly that', async (timeout, words) => {
    const host = { follow: { stdout: '\nshipway-step follows\nexit 143 0 timed_out\n' } }
    const file = () => `manual: { deploy: [{ name: Build, run: make, timeout: ${timeout} }] }`
    await runIt(app.ctx, lease, { answers: { host, file } })
    const message = `The step did not end within ${words} and was stopped`
    expect((await stepsOf()).at(-1)).toMatchObject({ name: 'Build', message })
  })

  test('a task that takes longer than it may says how long that is', async () => {
    const stopper = new AbortController()
    const stop = () => {
      stopper.abort('timed_out')
      throw new CommandStopped('aborted')
    }
    await runIt(app.ctx, lease, { answers: { push: stop }, stopper })
    expect(await taskOf()).toMatchObject({ status: 'failed', reason: 'timed_out' })
    const message = 'The deployment did not end within 7 minutes and was stopped. All its steps share that time'
    expect((await stepsOf()).at(-1)).toMatchObject({ kind: 'timeout', message })
  })
})

function refuse(error: Error): () => never {
  return () => {
    throw error
  }
}
