// A step that is done again, by the same process or by the next one, leaves what a step leaves that was done once.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildDeployment, takeNext } from '../../test/deployments.ts'
import { createFakeHost, type FakeAnswer, followed } from '../../test/fake-host.ts'
import { onFirst } from '../../test/stage/on-first.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import type { StepIo } from '../deployment/run.ts'
import { beginStep } from '../progress/progress.ts'
import { CommandStopped, ConnectionLost, ServerUnreachable } from '../remote/host.ts'
import { createMask } from '../secrets/mask.ts'
import { listOutput } from '../store/tasks/outputs.ts'
import { listSteps } from '../store/tasks/steps.ts'
import { type Lease, releaseLease } from '../store/tasks/task-queue.ts'
import { TaskRun } from './task-run.ts'

/** Longer than what is written at once. */
const line = 'said '.repeat(20_000)

describe.each(databases)('a step on $name', (source) => {
  const once = onFirst(source)
  const app = stageApp(source)
  let lease: Lease
  beforeEach(async () => {
    // The tasks of earlier tests would take all slots.
    const ended = { status: 'canceled', finished_at: 1, worker: null, lease_until: null } as const
    await app.ctx.db.updateTable('tasks').set(ended).where('status', '=', 'running').execute()
    await buildDeployment(app.ctx)
    lease = await takeNext(app.ctx)
  })

  const outputOf = async () => (await listOutput(app.ctx.db, lease.taskId, { from: 0, most: 1_000_000 })).toString()
  const statusOf = () =>
    app.ctx.db.selectFrom('steps').where('task_id', '=', lease.taskId).select(['name', 'status']).execute()
  const begin = ({ signal, answers = {}, databaseMebibytes }: StepOptions = {}) =>
    new TaskRun({ ...app.ctx, config: { ...app.ctx.config, databaseMebibytes } }, lease, {
      kind: 'deploy',
      host: createFakeHost(answers, []),
      signal: signal ?? new AbortController().signal,
      mask: createMask([]),
    })
  const runStep = async <Result>(work: (io: StepIo) => Promise<Result>, given?: StepOptions) => {
    const run = begin(given)
    await run.phase('Prepare')({ key: 'Deploy task 1', name: 'Say' }, work)
    await run.complete()
  }
  const say = (signal: AbortSignal, afterwards: () => void) =>
    runStep(
      async (io) => {
        io.say(line)
        afterwards()
      },
      { signal },
    )

  once('that lost its connection is done again, and has said its lines once', async () => {
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

  test('is recorded as ended in the transaction that begins the next one, each with its own output', async () => {
    const run = begin()
    const step = run.phase('Prepare')
    const first = await step('Fetch source', async ({ say }) => {
      say('fetched')
      return 7
    })
    const whileSecond = await step('Check domains', async ({ say }) => {
      say('checked')
      return statusOf()
    })
    expect(first).toBe(7)
    expect(whileSecond).toEqual([
      { name: 'Fetch source', status: 'succeeded' },
      { name: 'Check domains', status: 'running' },
    ])
    await run.complete()
    const text = await outputOf()
    expect(text).toBe('==> Prepare: Fetch source\nfetched\n==> Prepare: Check domains\nchecked\n')
    const steps = app.ctx.db.selectFrom('steps').where('task_id', '=', lease.taskId).orderBy('position').selectAll()
    expect(
      (await steps.execute()).map(({ output_from: from, output_to: to, result, status }) => [
        text.slice(from ?? 0, to ?? 0),
        result,
        status,
      ]),
    ).toEqual([
      ['fetched\n', '7', 'succeeded'],
      ['checked\n', expect.any(String), 'succeeded'],
    ])
  })

  test('whose end was not recorded yet is recorded when the task ends, with its warning as the message', async () => {
    const run = begin()
    await run.phase('Prepare')('Fetch source', async ({ say, warn }) => {
      say('asked')
      warn('Look at this')
    })
    await run.recordEnd()
    await run.recordEnd()
    expect(await statusOf()).toEqual([{ name: 'Fetch source', status: 'succeeded' }])
    const [step] = (await listSteps(app.ctx.db, [lease.taskId])).get(lease.taskId) ?? []
    expect(step).toMatchObject({ status: 'succeeded', message: 'Look at this' })
    expect(await outputOf()).toBe('==> Prepare: Fetch source\nasked\nLook at this\n')
  })

  const refused = new ServerUnreachable('connect', 'web could not be reached: Connection refused. Check the port.')
  const waiting = 'web could not be reached: Connection refused. Check the port. Retrying for 15 minutes\n'
  const durably = (io: StepIo) => {
    io.say('Building')
    return io.durably({ run: ['make'], folder: '/step', environment: new Map() })
  }
  const nextProcess = async () => {
    await releaseLease(app.ctx.db, lease)
    lease = await takeNext(app.ctx)
  }

  once('whose server is out of reach says so while it waits, once', async () => {
    const seen: string[] = []
    await runStep(async (io) => {
      seen.push(await outputOf())
      io.say('Home is here')
      if (seen.length < 3) throw refused
    })
    const heading = '==> Prepare: Say\n'
    expect(seen).toEqual([heading, heading + waiting, heading + waiting])
    expect(await outputOf()).toBe(`${heading}${waiting}Home is here\n`)
  })

  once('whose server is still out of reach for the next process says so once', async () => {
    const stopper = new AbortController()
    const once = throwing(refused)
    const first = runStep(durably, { signal: stopper.signal, answers: { start: once } })
    await shown('minutes\n')
    stopper.abort('stopping')
    await expect(first).rejects.toBe('stopping')
    await nextProcess()
    await runStep(durably, { answers: { start: throwing(refused, 2) } })
    expect(await outputOf()).toBe(`==> Prepare: Say\n${waiting}Building\ndone\n`)
  })

  once('that was canceled while its server is out of reach says that its command cannot be ended yet', async () => {
    const stopper = new AbortController()
    const follow: FakeAnswer = () => {
      if (stopper.signal.aborted) return { stdout: followed('half a line', 143) }
      stopper.abort('canceled_by_user')
      throw new CommandStopped('aborted')
    }
    const canceled = runStep(durably, { signal: stopper.signal, answers: { follow, cancel: throwing(refused, 2) } })
    await expect(canceled).rejects.toMatchObject({ status: 'canceled' })
    const note = `The command cannot be ended yet. ${waiting}`
    expect(await outputOf()).toBe(`==> Prepare: Say\n${note}Building\nhalf a line\nCanceled\n`)
  })

  test.each([
    ['fails with what was wrong at last', undefined, 'failed', ''],
    [
      'and that was canceled says that its command is ended later',
      'canceled_by_user',
      'canceled',
      '. What still runs there is ended when the server answers again\nCanceled',
    ],
  ])('whose server stays out of reach %s', async (_, reason, status, afterwards) => {
    let minutes = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      minutes += 10
      return minutes * 60_000
    })
    const stopper = new AbortController()
    if (reason) stopper.abort(reason)
    const answers = { start: throwing(refused), cancel: throwing(refused) }
    if (reason) await beginStep(app.ctx, lease, { position: 1, phase: 'Prepare', key: 'Deploy task 1', name: 'Say' })
    const ended = runStep(durably, { signal: stopper.signal, answers })
    await expect(ended).rejects.toMatchObject({ status })
    clock.mockRestore()
    const atLast = 'The last attempt: web could not be reached: Connection refused. Check the port'
    const message = `The server fake server was out of reach for 15 minutes. ${atLast}`
    expect(await outputOf()).toContain(`${message}${afterwards}\n`)
  })

  once('whose output ends in the middle of a line gets no note there: the rest of the line follows', async () => {
    let sessions = 0
    const follow: FakeAnswer = () => {
      sessions++
      if (sessions === 2) throw refused
      const begun = '\nshipway-step follows\noutput 0 4\nhalf'
      return { stdout: sessions === 1 ? begun : '\nshipway-step follows\noutput 4 6\n more\nexit 0 10 \n' }
    }
    await runStep(durably, { answers: { follow } })
    expect(await outputOf()).toBe('==> Prepare: Say\nBuilding\nhalf more\n')
  })

  test('keeps the first and last part of its output while the database is as large as it may be, and says so', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${'x'.repeat(50)}`)
    const answers = { follow: () => ({ stdout: followed(`${lines.join('\n')}\n`) }) }
    await runStep(durably, { answers, databaseMebibytes: 0.001 })
    const text = await outputOf()
    expect(text).toContain('The database has reached its size limit. Only the first and last part')
    expect(text).toContain('line 0 ')
    expect(text).toContain('line 4999 ')
    expect(text).toMatch(/\[\d+ bytes left out here\]/)
    expect(text.length).toBeLessThan(150_000)
  })

  /** Waits for the output to end with this. */
  const shown = (end: string) =>
    new Promise<void>((resolve) => {
      const endListening = app.ctx.bus.listen(async () => {
        if (!(await outputOf()).endsWith(end)) return
        endListening()
        resolve()
      })
    })
})

type StepOptions = {
  readonly signal?: AbortSignal
  readonly answers?: Readonly<Record<string, FakeAnswer>>
  readonly databaseMebibytes?: number
}

/** For the first times that a server is asked. */
function throwing(error: Error, times = Number.POSITIVE_INFINITY): FakeAnswer {
  let left = times
  return () => {
    left -= 1
    if (left >= 0) throw error
    return {}
  }
}
