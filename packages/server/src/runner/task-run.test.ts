// A step that is done again, by the same process or by the next one, leaves what a step leaves that was done once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildDeployment, takeNext } from '../../test/deployments.ts'
import { createFakeHost } from '../../test/fake-host.ts'
import { openTestApp, type TestApp } from '../../test/test-app.ts'
import { ConnectionLost } from '../remote/host.ts'
import { createMask } from '../secrets/mask.ts'
import { listOutput } from '../store/outputs.ts'
import type { Lease } from '../store/task-queue.ts'
import { TaskRun } from './task-run.ts'

/** Longer than what is written at once. */
const line = 'said '.repeat(20_000)

describe.each(databases)('a step on $name', (source) => {
  let app: TestApp
  let lease: Lease

  beforeAll(async () => {
    app = await openTestApp(source)
  })
  beforeEach(async () => {
    await buildDeployment(app.ctx)
    lease = await takeNext(app.ctx)
  })
  afterAll(() => app.close())

  const outputOf = async () => (await listOutput(app.ctx.db, lease.taskId, { from: 0, most: 1_000_000 })).toString()
  const statusOf = () =>
    app.ctx.db.selectFrom('steps').where('task_id', '=', lease.taskId).select(['name', 'status']).execute()
  const say = (signal: AbortSignal, afterwards: () => void) =>
    new TaskRun(app.ctx, lease, { host: createFakeHost({}, []), signal, mask: createMask([]) }).phase(
      'Prepare',
      (step) =>
        step('Say', async (io) => {
          io.say(line)
          afterwards()
        }),
    )

  test('that lost its connection is done again, and has said its lines once', async () => {
    let times = 0
    await say(new AbortController().signal, () => {
      times++
      if (times === 1) throw new ConnectionLost('The connection broke')
    })
    expect(times).toBe(2)
    expect(await statusOf()).toEqual([{ name: 'Say', status: 'succeeded' }])
    expect(await outputOf()).toBe(`==> Prepare: Say\n${line}\n`)
  })

  test('that the next process does again has said its lines once', async () => {
    const stopper = new AbortController()
    const stopped = say(stopper.signal, () => {
      stopper.abort('stopping')
      stopper.signal.throwIfAborted()
    })
    await expect(stopped).rejects.toBe('stopping')
    await say(new AbortController().signal, () => undefined)
    expect(await statusOf()).toEqual([{ name: 'Say', status: 'succeeded' }])
    expect(await outputOf()).toBe(`==> Prepare: Say\n${line}\n`)
  })
})
