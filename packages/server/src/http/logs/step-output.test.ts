// Where the output of each step lies in the log of its task, in the API and on the live channel.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildRunningTask, buildStep } from '../../../test/factories.ts'
import { openLiveReader } from '../../../test/live-reader.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import { appendOutput, beginStep, endStep, endTask, interruptTask } from '../../progress/progress.ts'
import type { Lease } from '../../store/tasks/task-queue.ts'

describe.each(databases)('the output of steps on $name', (source) => {
  const app = stageApp(source)
  const { viewer, project } = stageProject(app, { viewer: 'viewer' })
  let lease: Lease

  beforeAll(() => app.app.listen({ host: '127.0.0.1', port: 0 }))
  beforeEach(async () => {
    lease = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
  })

  const begin = (position: number, name: string) =>
    beginStep(app.ctx, lease, { position, phase: 'Build', key: name, name })
  const print = (position: number, text: string) => appendOutput(app.ctx, lease, { position, bytes: Buffer.from(text) })
  type OutputRange = { readonly from: number; readonly to: number | null } | null
  const task = async () => (await app.call('GET', `/api/tasks/${lease.taskId}`, { as: viewer })).body
  const rangesOf = async (): Promise<OutputRange[]> => {
    const { phases } = await task()
    return phases.flatMap(({ steps }: { steps: { output: OutputRange }[] }) => steps.map(({ output }) => output))
  }
  const read = async (output: OutputRange | undefined) => {
    const range = `bytes=${output?.from}-${(output?.to ?? 0) - 1}`
    return (await app.call('GET', `/api/tasks/${lease.taskId}/log`, { as: viewer, headers: { range } })).text
  }

  test('is read by its range, without the heading and the message, whatever its bytes are', async () => {
    await begin(1, 'Ä step')
    await print(1, 'first €\n')
    await print(1, '==> Build: a lie\n')
    await endStep(app.ctx, lease, 1, { status: 'succeeded', said: Buffer.from('said\n') })
    await begin(2, 'Fail')
    await print(2, 'no newline')
    await endStep(app.ctx, lease, 2, { status: 'failed', message: 'It broke' })
    await endTask(app.ctx, lease, { status: 'failed' })
    const [first, second] = await rangesOf()
    expect(await read(first)).toBe('first €\n==> Build: a lie\nsaid\n')
    expect(await read(second)).toBe('no newline')
    const listed = await app.call('GET', `/api/environments/${(await task()).environment_id}/tasks`, { as: viewer })
    expect(listed.body[0].phases[0].steps[1].output).toEqual(second)
  })

  test('has no end while the step runs, and an empty range where nothing was printed', async () => {
    await begin(1, 'Quiet')
    const { from } = (await rangesOf())[0] ?? {}
    expect(from).toBe('==> Build: Quiet\n'.length)
    expect(await rangesOf()).toEqual([{ from, to: null }])
    await endStep(app.ctx, lease, 1, { status: 'succeeded' })
    expect(await rangesOf()).toEqual([{ from, to: from }])
  })

  test('ends where an interruption was noted', async () => {
    await begin(1, 'Cut short')
    await print(1, 'as far as it came\n')
    const interruption = { status: 'failed', sentence: 'Nobody knows how it ended' } as const
    await interruptTask(app.ctx, lease, interruption, async () => undefined)
    const [cut, noted] = await rangesOf()
    expect(await read(cut)).toBe('as far as it came\n')
    expect(noted?.to).toBe(noted?.from)
  })

  test('goes on to the end of the log where the end of the step was never written', async () => {
    await begin(1, 'Lost')
    await print(1, 'the last words\n')
    await endTask(app.ctx, lease, { status: 'canceled', reason: 'canceled_by_user' })
    expect(await read((await rangesOf())[0])).toBe('the last words\n')
  })

  test('has no range for a step that was recorded without one', async () => {
    await buildStep(app.ctx, lease.taskId)
    await buildStep(app.ctx, lease.taskId, { status: 'pending' })
    expect(await rangesOf()).toEqual([null, null])
  })

  test('is sent on the live channel in the same shape', async () => {
    const reader = await openLiveReader(app.app, { token: viewer.token })
    await reader.subscribe(`task:${lease.taskId}`)
    await begin(1, 'Watched')
    const [begun] = await rangesOf()
    expect((await reader.event('step.updated')).data.step.output).toEqual(begun)
    expect((await reader.event('phase.updated')).data.phase.steps[0]?.output).toEqual(begun)
    await print(1, 'seen\n')
    await endStep(app.ctx, lease, 1, { status: 'failed', message: 'Over' })
    const failed = await reader.event('task.updated')
    expect(failed.data.phases[0]?.steps[0]?.output).toEqual((await rangesOf())[0])
    expect(await read(failed.data.phases[0]?.steps[0]?.output)).toBe('seen\n')
    reader.socket.close()
  })
})
