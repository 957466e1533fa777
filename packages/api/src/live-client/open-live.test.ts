// The live channel read over real sockets, from a platform that does what each test says.
import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest'
import { event, output } from '../../test/live-messages.ts'
import { LivePlatform } from '../../test/live-platform.ts'
import { LiveReader } from '../../test/live-reader.ts'
import { createClient } from '../client.ts'
import type { LiveReading, LiveUpdate } from './open-live.ts'
import type { Pace } from './pace.ts'

let platform: LivePlatform
const readers: LiveReader[] = []

beforeEach(async () => {
  platform = await LivePlatform.start()
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.live.close()
  await platform.stop()
})

function read(reading: LiveReading, pace: Partial<Pace> = {}): LiveReader {
  const reader = new LiveReader({ baseUrl: platform.baseUrl }, reading, pace)
  readers.push(reader)
  return reader
}

const TASK = 'task:7'
const LOG = 'task:7:log'

test('a reader gets connection, subscription and events', async () => {
  const reader = read({ topics: [TASK, { topic: LOG, since: { epoch: 'e0', seq: 12 } }] })
  const connection = await reader.join(platform)
  expect(await connection.confirm({ seq: 3 })).toMatchObject({ topic: TASK })
  expect(await connection.confirm()).toMatchObject({ topic: LOG, since: { epoch: 'e0', seq: 12 } })
  expect(await reader.next()).toMatchObject({ type: 'subscribed', topic: TASK, seq: 3, recovered: false })
  expect(await reader.next()).toMatchObject({ type: 'subscribed', topic: LOG, recovered: true })
  const messages = [
    event(TASK, 4),
    output(LOG, 16, 'one\n'),
    { type: 'lagged', topic: LOG, seq: 16, to: 99 },
    event(TASK, 5),
  ]
  for (const message of messages) connection.send(message)
  for (const message of messages) expect(await reader.next()).toEqual(message)
  expect(platform.addresses).toEqual(['/api/live'])
})

test('the client has it, and it connects with the first read', async () => {
  const live = createClient({ baseUrl: platform.baseUrl }).live({ topics: [TASK] })
  live.close()
  for await (const update of live) expectTypeOf(update).toEqualTypeOf<LiveUpdate>()
  expect(platform.addresses).toEqual([])
})

test('after a cut each topic goes on from what was read, not from what came', async () => {
  const reader = read({ topics: [TASK, LOG] })
  const connection = await reader.join(platform)
  await connection.confirm({ seq: 3 })
  await connection.confirm()
  connection.send(event(TASK, 4))
  connection.send(output(LOG, 4, 'ää'))
  expect(await reader.nextOf('event')).toEqual(event(TASK, 4))
  expect(await reader.nextOf('event')).toMatchObject({ event: 'log.append' })
  connection.cut()
  expect(await reader.next()).toEqual({ type: 'connection', state: 'offline', reason: 'lost' })
  const second = await reader.join(platform)
  // There may be more messages of the newest number, so it is asked for again; the one that was read is not given twice.
  expect(await second.confirm()).toMatchObject({ topic: TASK, since: { epoch: 'e1', seq: 3 } })
  expect(await second.confirm()).toMatchObject({ topic: LOG, since: { epoch: 'e1', seq: 4 } })
  for (const message of [event(TASK, 4), event(TASK, 4, 44), event(TASK, 5)]) second.send(message)
  expect(await reader.nextOf('event')).toEqual(event(TASK, 4, 44))
  expect(await reader.nextOf('event')).toEqual(event(TASK, 5))
})

test('after a lost position, the reader gets the current record and counts from there', async () => {
  const reader = read({ topics: [{ topic: 'project:2', since: { epoch: 'e0', seq: 900 } }] })
  const connection = await reader.join(platform)
  const snapshot = event('project:2', 5)
  const { id } = await connection.confirm({ epoch: 'other', seq: 1, recovered: false })
  // A second answer to one request is none, unless it says that the reader has missed something meanwhile.
  const again = { type: 'subscribed', id, topic: 'project:2', epoch: 'other', seq: 800, snapshot }
  connection.send({ ...again, recovered: true })
  connection.send(event('project:2', 2))
  expect(await reader.next()).toMatchObject({ type: 'subscribed', recovered: false, epoch: 'other', seq: 1 })
  expect(await reader.next()).toEqual(event('project:2', 2))
  connection.send({ ...again, recovered: false })
  expect(await reader.next()).toMatchObject({ type: 'subscribed', recovered: false, seq: 800, snapshot })
  connection.cut()
  expect(await reader.next()).toMatchObject({ state: 'offline' })
  const second = await reader.join(platform)
  expect(await second.confirm()).toMatchObject({ since: { epoch: 'other', seq: 800 } })
})

test('records that were quiet for long go on from where the platform was, and logs from their own byte', async () => {
  const reader = read({ topics: [TASK, LOG] })
  const connection = await reader.join(platform)
  await connection.confirm({ seq: 3 })
  await connection.confirm()
  for (const seq of [900, 5]) connection.send({ type: 'current', epoch: 'e1', seq })
  connection.send({ type: 'current', epoch: 'another', seq: 9_000 })
  connection.send(output(LOG, 4, 'four'))
  expect(await reader.nextOf('event')).toMatchObject({ event: 'log.append' })
  connection.cut()
  expect(await reader.next()).toMatchObject({ state: 'offline' })
  const second = await reader.join(platform)
  expect(await second.confirm()).toMatchObject({ topic: TASK, since: { epoch: 'e1', seq: 900 } })
  expect(await second.confirm()).toMatchObject({ topic: LOG, since: { epoch: 'e1', seq: 4 } })
  second.send(event(TASK, 901))
  expect(await reader.nextOf('event')).toEqual(event(TASK, 901))
})

test('a snapshot that this release does not know costs the snapshot and not the subscription', async () => {
  const reader = read({ topics: [TASK] })
  const connection = await reader.join(platform)
  await connection.confirm({ seq: 1, snapshot: { ...event(TASK, 1), event: 'moon.risen' } })
  connection.send(event(TASK, 2))
  expect(await reader.next()).toMatchObject({ type: 'subscribed', recovered: false, snapshot: undefined })
  expect(await reader.next()).toEqual(event(TASK, 2))
})

test('topics come and go while it is read', async () => {
  const reader = read({})
  const joined = reader.join(platform)
  reader.live.subscribe(TASK)
  const connection = await joined
  await connection.confirm()
  await reader.nextOf('subscribed')
  reader.live.subscribe('server:3', { epoch: 'e1', seq: 6 })
  reader.live.subscribe('server:3')
  expect(await connection.confirm()).toMatchObject({ topic: 'server:3', since: { epoch: 'e1', seq: 6 } })
  connection.send(event(TASK, 1))
  expect(await reader.nextOf('event')).toEqual(event(TASK, 1))
  reader.live.unsubscribe(TASK)
  connection.send(event(TASK, 2))
  const request = await connection.request()
  expect(request).toEqual({ type: 'unsubscribe', id: expect.any(String), topic: TASK })
  connection.send({ ...request, type: 'unsubscribed' })
  expect(await reader.next()).toMatchObject({ type: 'unsubscribed', topic: TASK })
  connection.send({ type: 'unsubscribed', id: null, topic: 'server:3' })
  expect(await reader.next()).toEqual({ type: 'unsubscribed', id: null, topic: 'server:3' })
  // Nothing is left, so the platform closes, and the client connects again with the next topic.
  connection.close(4408)
  expect(await reader.next()).toEqual({ type: 'connection', state: 'offline', reason: 'idle' })
  const rejoined = reader.join(platform)
  reader.live.subscribe(LOG)
  const second = await rejoined
  expect(await second.confirm()).toMatchObject({ topic: LOG })
  expect(platform.addresses).toHaveLength(2)
})

test('what was subscribed anew gets nothing of the subscription before', async () => {
  const reader = read({ topics: [LOG] })
  const connection = await reader.join(platform)
  await connection.confirm()
  await reader.nextOf('subscribed')
  reader.live.unsubscribe(LOG)
  reader.live.subscribe(LOG)
  connection.send(output(LOG, 3, 'old'))
  await connection.request()
  await connection.confirm()
  connection.send(output(LOG, 3, 'new'))
  expect(await reader.nextOf('event')).toEqual(output(LOG, 3, 'new'))
})

test('a refusal names its topic, and ends that subscription alone', async () => {
  const reader = read({ topics: [TASK, LOG] })
  const connection = await reader.join(platform)
  const request = await connection.request()
  await connection.confirm()
  const refusal = { type: 'error', code: 'not_found', detail: 'There is no such task' }
  connection.send({ ...refusal, id: 'id' in request ? request.id : '' })
  expect(await reader.nextOf('subscribed')).toMatchObject({ topic: LOG })
  expect(await reader.next()).toMatchObject({ ...refusal, topic: TASK })
  connection.send({ ...refusal, id: null })
  expect(await reader.next()).toEqual({ ...refusal, id: null, topic: null })
  connection.cut()
  expect(await reader.next()).toMatchObject({ state: 'offline' })
  const second = await reader.join(platform)
  expect(await second.confirm()).toMatchObject({ topic: LOG })
  expect(() => reader.live.subscribe('moon:1')).toThrow(RangeError)
})

test('whatever is no message of this release is left out', async () => {
  const reader = read({ topics: [TASK, LOG] })
  const connection = await reader.join(platform)
  await connection.confirm({ seq: 10 })
  await connection.confirm()
  connection.send('')
  connection.send('null')
  connection.send('{"type":"event"')
  connection.send('[1]')
  connection.send('"subscribed"')
  connection.send({ type: 'moon' })
  connection.send({ ...event(TASK, 11), event: 'moon.risen' })
  connection.send({ ...event(TASK, 11), seq: 1.5 })
  connection.send(event('task:8', 11))
  connection.send(event(LOG, 11))
  connection.send({ type: 'pong' })
  connection.send({ type: 'authenticated' })
  connection.send({ type: 'unsubscribed', id: 'of-nobody', topic: TASK })
  connection.send({ type: 'error', id: 'of-nobody', code: 'x', detail: 'x' })
  connection.send({ type: 'lagged', topic: 'task:8:log', seq: 1, to: 2 })
  connection.socket.send(Buffer.from(JSON.stringify(event(TASK, 11))), { binary: true })
  connection.send(JSON.stringify({ ...event(TASK, 11), filling: 'x'.repeat(8 * 1024 * 1024) }))
  connection.send(event(TASK, 9))
  connection.send(event(TASK, 12))
  connection.send(event(TASK, 11))
  connection.send(event(TASK, 13))
  expect(await reader.nextOf('subscribed')).toMatchObject({ topic: TASK })
  expect(await reader.next()).toMatchObject({ topic: LOG })
  expect(await reader.next()).toEqual(event(TASK, 12))
  expect(await reader.next()).toEqual(event(TASK, 13))
})

test('missing output is requested once more, then reported', async () => {
  const reader = read({ topics: [LOG] })
  const connection = await reader.join(platform)
  await connection.confirm()
  connection.send(output(LOG, 4, 'one\n'))
  connection.send(output(LOG, 12, 'tre\n'))
  connection.send(output(LOG, 16, 'qua\n'))
  expect(await reader.nextOf('event')).toEqual(output(LOG, 4, 'one\n'))
  const again = reader.nextOf('subscribed')
  expect(await connection.request()).toMatchObject({ type: 'unsubscribe' })
  expect(await connection.confirm()).toMatchObject({ since: { epoch: 'e1', seq: 4 } })
  expect(await again).toMatchObject({ recovered: true })
  connection.send(output(LOG, 12, 'tre\n'))
  connection.send(output(LOG, 16, 'qua\n'))
  expect(await reader.next()).toEqual({ type: 'lagged', topic: LOG, seq: 8, to: 12 })
  expect(await reader.next()).toEqual(output(LOG, 12, 'tre\n'))
  expect(await reader.next()).toEqual(output(LOG, 16, 'qua\n'))
  // What the platform leaves out itself is not asked for.
  const lagged = { type: 'lagged', topic: LOG, seq: 30, to: 40 }
  for (const message of [lagged, output(LOG, 20, 'old\n'), output(LOG, 33, 'new')]) connection.send(message)
  expect(await reader.next()).toEqual(lagged)
  expect(await reader.next()).toEqual(output(LOG, 33, 'new'))
})

test('it is read once', async () => {
  const reader = read({ topics: [TASK] })
  expect(() => reader.live[Symbol.asyncIterator]()).toThrow('being read already')
})

test.each([
  ['close()', (reader: LiveReader) => reader.live.close()],
  ['leaving', (reader: LiveReader) => reader.leave()],
])('%s ends it at once and closes the connection', async (_, end) => {
  const reader = read({ topics: [TASK] })
  const connection = await reader.join(platform)
  await connection.confirm()
  connection.send(event(TASK, 1))
  await reader.nextOf('subscribed')
  const first = await reader.next()
  expect(first).toEqual(event(TASK, 1))
  const pending = reader.next()
  await end(reader)
  expect(await pending).toBeUndefined()
  await connection.closed
  connection.send(event(TASK, 2))
  expect(await reader.next()).toBeUndefined()
  expect(platform.openConnections).toBe(0)
})

test('given up, it fails with the reason: before it begins, while it reads, while it waits', async () => {
  const reason = new Error('Given up')
  await expect(read({ topics: [TASK], signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
  expect(platform.addresses).toEqual([])

  const reading = new AbortController()
  const reader = read({ topics: [TASK], signal: reading.signal })
  const connection = await reader.join(platform)
  const pending = reader.next()
  reading.abort(reason)
  await expect(pending).rejects.toBe(reason)
  await connection.closed
  expect(await reader.next()).toBeUndefined()

  const waiting = new AbortController()
  const patient = read({ topics: [TASK], signal: waiting.signal }, { shortestMs: 3_600_000, longestMs: 3_600_000 })
  const other = await patient.join(platform)
  other.cut()
  expect(await patient.next()).toMatchObject({ state: 'offline' })
  const never = patient.next()
  waiting.abort(reason)
  await expect(never).rejects.toBe(reason)

  const idle = new AbortController()
  const nothing = read({ signal: idle.signal }).next()
  idle.abort(reason)
  await expect(nothing).rejects.toBe(reason)
})
