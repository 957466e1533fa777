// A server that lies about a step: the step ends all the same, in words, and the task does not keep its place.
import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { createFakeHost, type FakeAnswer } from '../../test/fake-host.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { CommandStopped, ServerUnreachable } from '../remote/host.ts'
import { createMask } from '../secrets/mask.ts'
import { listOutput } from '../store/tasks/outputs.ts'
import { TaskRun } from './task-run.ts'

describe.each(databases)('a durable step on $name', (source) => {
  const app = stageApp(source)
  const { lease } = stageDeployment(app)

  const outputOf = async () => (await listOutput(app.ctx.db, lease.taskId, { from: 0, most: 1_000_000 })).toString()
  const statusOf = () =>
    app.ctx.db.selectFrom('steps').where('task_id', '=', lease.taskId).select(['status', 'kind']).executeTakeFirst()
  const runStep = (answers: Readonly<Record<string, FakeAnswer>>, signal = new AbortController().signal) =>
    new TaskRun(app.ctx, lease, {
      kind: 'deploy',
      host: createFakeHost(answers, []),
      signal,
      mask: createMask([]),
      cancelMs: 50,
    }).phase('Prepare')({ key: 'Deploy task 1', name: 'Build' }, (io) =>
      io.durably({ run: ['make'], folder: '/step', environment: new Map() }),
    )

  test.each(['exit 99999999999 0 ', 'exit NaN 0 ', 'output 99999999999999999999 4\nhalf', 'output -5 4\nhalf'])(
    'fails if its server says %j, and the failure is recorded',
    async (line) => {
      const running = runStep({ follow: { stdout: `\nshipway-step follows\n${line}\n` } })
      await expect(running).rejects.toMatchObject({ status: 'failed' })
      expect(await statusOf()).toEqual({ status: 'failed', kind: 'server' })
      expect(await outputOf()).toContain('The server tells things of the command that cannot be.')
    },
  )

  test('that was canceled ends also where its server says for ever that there is more', async () => {
    const stopper = new AbortController()
    const follow: FakeAnswer = async () => {
      stopper.abort('canceled_by_user')
      await new Promise(setImmediate)
      return { stdout: '\nshipway-step follows\nmore\n' }
    }
    await expect(runStep({ follow }, stopper.signal)).rejects.toMatchObject({ status: 'canceled' })
    expect(await outputOf()).toContain('that the command has ended. See whether it still runs there\nCanceled\n')
  })

  test('whose server says too much, and steers terminals with it, is reported in printable words', async () => {
    const said = `\u001b]0;owned\u0007 refused \u001b[2J${'y'.repeat(1_000_000)}`
    const start: FakeAnswer = () => Promise.reject(new ServerUnreachable('auth', said))
    await expect(runStep({ start })).rejects.toMatchObject({ status: 'failed' })
    const output = await outputOf()
    expect(output).toMatch(/^==> Prepare: Build\n refused y+…\n$/)
    expect(output.length).toBeLessThan(100_000)
  })

  test('whose server does not answer in time fails with that sentence', async () => {
    const start: FakeAnswer = () => Promise.reject(new CommandStopped('timed_out'))
    await expect(runStep({ start })).rejects.toMatchObject({ status: 'failed' })
    expect(await statusOf()).toEqual({ status: 'failed', kind: 'server' })
    expect(await outputOf()).toContain('The server took too long to answer')
  })
})
