// The raw log over HTTP: the bytes as they are, whole and in parts.
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildRunningTask } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import { appendOutput } from '../../progress/progress.ts'
import type { Lease } from '../../store/tasks/task-queue.ts'

describe.each(databases)('the raw log on $name', (source) => {
  const app = stageApp(source)
  const { viewer, project } = stageProject(app, { viewer: 'viewer' })
  let lease: Lease

  beforeEach(async () => {
    lease = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
  })

  const print = (bytes: string | Buffer) => appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from(bytes) })
  async function read(
    query = '',
    { method = 'GET', ...headers }: { method?: 'GET' | 'HEAD' } & Record<string, string> = {},
  ) {
    const answer = await app.app.inject({
      method,
      url: `/api/tasks/${lease.taskId}/log${query}`,
      headers: { host: 'ship.example.com', authorization: `Bearer ${viewer.token}`, ...headers },
    })
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.payload }
  }

  test('the bytes leave as they came, as text that no browser guesses about', async () => {
    const hostile = Buffer.concat([Buffer.from('<script>\u001b[2J\r\n\0'), Buffer.from([0xff, 0xc0, 0xaf, 0xed, 0xa0])])
    await print(hostile.subarray(0, 7))
    await print(hostile.subarray(7))
    const { status, headers, bytes } = await read()
    expect(status).toBe(200)
    expect(bytes.equals(hostile)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(hostile.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    expect(headers['content-range']).toBeUndefined()
  })

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=2-2', '2', 'bytes 2-2/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-4', '6789', 'bytes 6-9/10'],
    ['bytes=3-99', '3456789', 'bytes 3-9/10'],
  ])('Range: %s', async (range, text, contentRange) => {
    for (const part of ['012', '3', '456', '789']) await print(part)
    const answer = await read('', { range })
    expect(answer).toMatchObject({ status: 206, text })
    expect(answer.headers).toMatchObject({ 'content-range': contentRange, 'content-length': String(text.length) })
  })

  test('a range beyond the end is refused with the length that there is', async () => {
    await print('0123456789')
    for (const answer of [await read('', { range: 'bytes=10-' }), await read('?offset=11')]) {
      expect(answer.status).toBe(416)
      expect(answer.headers['content-range']).toBe('bytes */10')
      expect(JSON.parse(answer.text)).toMatchObject({ status: 416, code: 'range_not_satisfiable' })
    }
  })

  test('an offset gives what comes after it: a reader that has all of it gets nothing until there is more', async () => {
    await print('0123456789')
    expect(await read('?offset=0')).toMatchObject({ status: 200, text: '0123456789' })
    expect(await read('?offset=8')).toMatchObject({ status: 200, text: '89' })
    expect(await read('?offset=10')).toMatchObject({ status: 200, text: '' })
    await print('more')
    expect(await read('?offset=10')).toMatchObject({ status: 200, text: 'more' })
    expect((await read('?offset=10')).headers['content-length']).toBe('4')
  })

  test('an offset and a range together, or one that is no number, are refused', async () => {
    await print('0123456789')
    expect(await read('?offset=1', { range: 'bytes=1-' })).toMatchObject({ status: 422 })
    for (const offset of ['-1', '1.5', 'x', '', '9999999999999999', '1&offset=2']) {
      expect(await read(`?offset=${offset}`), offset).toMatchObject({ status: 422 })
    }
    const { detail } = JSON.parse((await read('?offset=-1')).text)
    expect(detail).toBe('Write this in the form /^[0-9]{1,15}$/')
  })

  test('a range that depends on a version is not applied, since there are none', async () => {
    await print('0123456789')
    expect(await read('', { range: 'bytes=1-2', 'if-range': '"x"' })).toMatchObject({ status: 200, text: '0123456789' })
  })

  test('HEAD has the length and sends nothing', async () => {
    await print('0123456789')
    const answer = await read('', { method: 'HEAD', range: 'bytes=1-2' })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers).toMatchObject({ 'content-length': '10', 'accept-ranges': 'bytes' })
    const followed = await read('?follow=1', { method: 'HEAD' })
    expect(followed).toMatchObject({ status: 200, text: '' })
    expect(followed.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  })

  test('a task that has printed nothing has an empty log', async () => {
    const answer = await read()
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['content-length']).toBe('0')
  })

  test('a log of many pieces is whole, and so is any part of it', async () => {
    const whole = randomBytes(3_000_000)
    for (let place = 0; place < whole.length; place += 70_001) await print(whole.subarray(place, place + 70_001))
    expect((await read()).bytes.equals(whole)).toBe(true)
    for (const [from, to] of [
      [1, 2_999_998],
      [70_000, 70_001],
      [262_143, 262_144],
      [524_288, 1_048_577],
    ] as const) {
      const { bytes } = await read('', { range: `bytes=${from}-${to}` })
      expect(bytes.equals(whole.subarray(from, to + 1)), `${from}-${to}`).toBe(true)
    }
  })
})
