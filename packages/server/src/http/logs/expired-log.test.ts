// The output of old tasks is removed, and every reader learns that instead of getting an empty log.
import { createClient } from '@shipway/api/client'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildRunningTask, buildStep, buildTask } from '../../../test/factories.ts'
import { isOfType, openLiveReader } from '../../../test/live-reader.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { expireTaskLogs } from '../../operations/tasks/expire-task-logs.ts'
import { appendOutput, endTask } from '../../progress/progress.ts'
import { deleteSomeOutput, markOutputExpired } from '../../store/tasks/output-retention.ts'
import { SharedOutputs } from './shared-output.ts'

const DAY_MS = 86_400_000
const SENTENCE = /^The output of this task was removed on 20\d\d-\d\d-\d\d, 31 days after the task ended$/

describe.each(databases)('removing the output of old tasks on $name', (source) => {
  const app = stageApp(source)
  const { viewer, project } = stageProject(app, { viewer: 'viewer' })
  let baseUrl: string
  let environmentId: number

  beforeAll(async () => {
    baseUrl = await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })

  async function printAndEnd(pieces: readonly string[]): Promise<number> {
    const lease = await buildRunningTask(app.ctx, environmentId)
    for (const piece of pieces) await appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from(piece) })
    await endTask(app.ctx, lease, { status: 'failed' })
    return lease.taskId
  }
  /** Tokens live shorter than logs, so the task is made older instead of moving the clock. */
  const makeOld = async (...ids: readonly number[]): Promise<void> => {
    const finished_at = app.ctx.clock() - 31 * DAY_MS
    await app.ctx.db.updateTable('tasks').set({ finished_at }).where('id', 'in', ids).execute()
  }
  const withDays = (taskLogDays: number | undefined): Context => ({
    ...app.ctx,
    config: { ...app.ctx.config, taskLogDays },
  })
  const expire = (days: number | undefined, signal = new AbortController().signal) =>
    expireTaskLogs(withDays(days), signal)
  const get = (path: string, headers = {}) => app.call('GET', path, { as: viewer, headers })
  const rowsOf = async (taskId: number) =>
    (await app.ctx.db.selectFrom('outputs').where('task_id', '=', taskId).select('output_from').execute()).length

  async function expiredTask(): Promise<number> {
    const id = await printAndEnd(['one\n', 'two\n'])
    await makeOld(id)
    await expire(30)
    return id
  }

  test('is off without the setting, and keeps what is younger or still runs', async () => {
    const old = await printAndEnd(['old\n'])
    await makeOld(old)
    const young = await printAndEnd(['young\n'])
    const running = await buildRunningTask(app.ctx, environmentId)
    await appendOutput(app.ctx, running, { position: 1, bytes: Buffer.from('running\n') })
    await expire(undefined)
    expect((await get(`/api/tasks/${old}/log`)).text).toBe('old\n')
    await expire(30)
    expect((await get(`/api/tasks/${old}/log`)).status).toBe(410)
    expect((await get(`/api/tasks/${young}/log`)).text).toBe('young\n')
    expect((await get(`/api/tasks/${running.taskId}/log`)).text).toBe('running\n')
    expect((await get(`/api/tasks/${young}`)).body.log_expired_at).toBeNull()
  })

  test('is answered with 410 and a sentence, with a range, an offset and to a follower as well', async () => {
    const id = await expiredTask()
    const log = `/api/tasks/${id}/log`
    const answers = [await get(log), await get(`${log}?offset=4`), await get(`${log}?follow=1`)]
    for (const answer of [...answers, await get(log, { range: 'bytes=0-2' })]) {
      expect(answer.status).toBe(410)
      expect(answer.body).toMatchObject({ code: 'log_expired', detail: expect.stringMatching(SENTENCE) })
    }
    expect((await app.call('HEAD', log, { as: viewer })).status).toBe(410)
    const { body } = await get(`/api/tasks/${id}`)
    expect(body.log_expired_at).toBe(answers[0]?.body.log_expired_at)
    expect(await rowsOf(id)).toBe(0)
  })

  test('is said on the live channel, and to a client that follows the log', async () => {
    const id = await expiredTask()
    const reader = await openLiveReader(app.app, { token: viewer.token })
    reader.send({ type: 'subscribe', id: 'log', topic: `task:${id}:log` })
    const refusal = await reader.next((message) => message.type === 'error')
    expect(refusal).toMatchObject({ id: 'log', code: 'log_expired', detail: expect.stringMatching(SENTENCE) })
    reader.socket.close()
    const client = createClient({ baseUrl, token: () => viewer.token })
    const followed = client.followTaskLog({ params: { id } })[Symbol.asyncIterator]()
    await expect(followed.next()).rejects.toMatchObject({ status: 410, code: 'log_expired' })
  })

  test('is said on the live channel also while it is read, and costs no other topic', async () => {
    const id = await printAndEnd(['one\n'])
    const reader = await openLiveReader(app.app, { token: viewer.token })
    await reader.subscribe(`task:${id}:log`)
    await reader.event('log.append')
    await makeOld(id)
    await app.ctx.change(PLATFORM, async (tx) => {
      // There is more than the reader has, and it is gone before it is read.
      await tx.updateTable('tasks').set({ output_bytes: 8 }).where('id', '=', id).execute()
      await markOutputExpired(tx, [id], app.ctx.clock())
    })
    const { code, detail } = await reader.next(isOfType('error'))
    expect({ code, detail }).toEqual({ code: 'log_expired', detail: expect.stringMatching(SENTENCE) })
    reader.send({ type: 'ping' })
    await reader.next(isOfType('pong'))
    reader.socket.close()
  })

  test('notifies readers of the task', async () => {
    const id = await printAndEnd(['seen\n'])
    const reader = await openLiveReader(app.app, { token: viewer.token })
    await reader.subscribe(`task:${id}`)
    await makeOld(id)
    await expire(30)
    expect((await reader.event('task.updated')).data.log_expired_at).not.toBeNull()
    reader.socket.close()
  })

  test('leaves diagnostics without output, and with a hint that says why', async () => {
    const id = await printAndEnd(['the cause\n'])
    await buildStep(app.ctx, id, { status: 'failed', output_from: 0, output_to: 10 })
    const diagnostics = async () => (await get(`/api/environments/${environmentId}/diagnostics`)).body
    expect((await diagnostics()).output.text).toContain('the cause')
    await makeOld(id)
    await expire(30)
    const { output, hints } = await diagnostics()
    expect(output).toBeNull()
    expect(hints).toContainEqual(expect.stringMatching(/^The output of this task was removed on .* ended\.$/))
  })

  test('a task that printed nothing keeps its empty log', async () => {
    const { id } = await buildTask(app.ctx, environmentId, { status: 'canceled', finished_at: 1 })
    await expire(30)
    expect(await get(`/api/tasks/${id}/log`)).toMatchObject({ status: 200, text: '' })
    expect((await get(`/api/tasks/${id}`)).body.log_expired_at).toBeNull()
  })

  test('continues where it was interrupted, and reports how much it removed', async () => {
    const pieces = Array.from({ length: 70 }, (_, index) => `line ${index}\n`)
    const ids = [await printAndEnd(pieces), await printAndEnd(pieces)]
    await makeOld(...ids)
    const stop = new AbortController()
    // Stops once the first rows are gone.
    const served = withDays(30)
    let changes = 0
    const change: Context['change'] = async (...words) => {
      changes += 1
      if (changes === 3) stop.abort()
      return served.change(...words)
    }
    await expireTaskLogs({ ...served, change }, stop.signal)
    const left = (await rowsOf(ids[0] ?? 0)) + (await rowsOf(ids[1] ?? 0))
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(140)
    for (const id of ids) expect((await get(`/api/tasks/${id}/log`)).status).toBe(410)
    await expire(30)
    for (const id of ids) expect(await rowsOf(id)).toBe(0)
    const lines = app.logLines.filter((line) => line.includes('removed the output of old tasks'))
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ tasks: 2, days: 30 })
  })

  test('a reader in the middle of the log gets the right bytes and then an error, never an end', async () => {
    const pieces = Array.from({ length: 70 }, (_, index) => `${String(index).padStart(999)}\n`)
    const id = await printAndEnd(pieces)
    const output = new SharedOutputs(app.ctx).of(id)
    const length = await output.length()
    await app.ctx.change(PLATFORM, (tx) => markOutputExpired(tx, [id], app.ctx.clock()))
    await app.ctx.change(PLATFORM, (tx) => deleteSomeOutput(tx, id))
    const first = await output.piece(0, length)
    expect(first?.bytes.toString()).toBe(pieces.join('').slice(0, first?.to))
    const rest = output.piece(first?.to ?? 0, length).then((piece) => output.piece(piece?.to ?? 0, length))
    await expect(rest).rejects.toMatchObject({ code: 'log_expired' })
  })
})
