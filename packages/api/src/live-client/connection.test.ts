// A connection that is slower, more silent or more talkative than it should be.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { event, output } from '../../test/live-messages.ts'
import { LivePlatform } from '../../test/live-platform.ts'
import { LiveReader } from '../../test/live-reader.ts'
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

function read(pace: Partial<Pace>, topics = ['task:7']): LiveReader {
  const reader = new LiveReader({ baseUrl: platform.baseUrl }, { topics }, pace)
  readers.push(reader)
  return reader
}

test('more messages than are kept for a slow reader close the connection, and it goes on where the reader is', async () => {
  const reader = read({ mostMessages: 10 })
  const connection = await reader.join(platform)
  await connection.confirm()
  for (let seq = 1; seq <= 50; seq++) connection.send(event('task:7', seq))
  await connection.closed
  expect(await reader.next()).toMatchObject({ type: 'subscribed' })
  // With `subscribed` the eleventh message was too many.
  for (let seq = 1; seq <= 10; seq++) expect(await reader.next()).toEqual(event('task:7', seq))
  expect(await reader.next()).toEqual({ type: 'connection', state: 'offline', reason: 'slow' })
  const second = await reader.join(platform)
  expect(await second.confirm()).toMatchObject({ since: { epoch: 'e1', seq: 9 } })
  for (let seq = 10; seq <= 12; seq++) second.send(event('task:7', seq))
  expect(await reader.nextOf('event')).toEqual(event('task:7', 11))
  expect(await reader.next()).toEqual(event('task:7', 12))
})

test('more characters than are kept close it too, but one message is kept however long it is', async () => {
  const reader = read({ mostCharacters: 1_000 }, ['task:7:log'])
  const connection = await reader.join(platform)
  await connection.confirm()
  await reader.nextOf('subscribed')
  const long = 'x'.repeat(5_000)
  connection.send(output('task:7:log', 5_000, long))
  expect(await reader.next()).toMatchObject({ data: { offset: 5_000, text: long } })
  connection.send(output('task:7:log', 5_500, long.slice(0, 500)))
  connection.send(output('task:7:log', 10_500, long))
  connection.send(output('task:7:log', 10_501, 'z'))
  await connection.closed
  expect(await reader.next()).toMatchObject({ data: { offset: 5_500 } })
  expect(await reader.next()).toMatchObject({ data: { offset: 10_500 } })
  expect(await reader.next()).toMatchObject({ reason: 'slow' })
  const second = await reader.join(platform)
  expect(await second.confirm()).toMatchObject({ since: { seq: 10_500 } })
})

test('a silent platform is asked, and given up when it does not answer', async () => {
  const reader = read({ silenceMs: 50, answerMs: 500 })
  const connection = await reader.join(platform)
  await connection.confirm()
  await reader.nextOf('subscribed')
  const offline = reader.next()
  expect(await connection.request()).toEqual({ type: 'ping' })
  expect(await offline).toEqual({ type: 'connection', state: 'offline', reason: 'lost' })
  await connection.closed
  const second = await reader.join(platform)
  expect(await second.confirm()).toMatchObject({ since: { epoch: 'e1', seq: 0 } })
})

test('a silent platform that answers is kept', async () => {
  const reader = read({ silenceMs: 5, answerMs: 20_000 })
  const connection = await reader.join(platform)
  await connection.confirm()
  await reader.nextOf('subscribed')
  for (const answer of ['{"type":"pong"}', 'whatever', Buffer.from([1])]) {
    expect(await connection.request()).toEqual({ type: 'ping' })
    connection.socket.send(answer)
  }
  connection.send(event('task:7', 1))
  expect(await reader.next()).toEqual(event('task:7', 1))
})

test('a platform that never opens it is given up in time, and can be left at once', async () => {
  const open = new Set<Socket>()
  const mute = createServer((socket) => open.add(socket)).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const address = mute.address()
  const port = typeof address === 'object' ? address?.port : 0
  const options = { baseUrl: `http://127.0.0.1:${port}` }
  const reader = new LiveReader(options, { topics: ['task:7'] }, { openMs: 20 })
  expect(await reader.next()).toEqual({ type: 'connection', state: 'offline', reason: 'lost' })
  const left = reader.next()
  reader.live.close()
  expect(await left).toBeUndefined()
  const controller = new AbortController()
  const { signal } = controller
  const connected = once(mute, 'connection')
  const patient = new LiveReader(options, { topics: ['task:7'], signal }, { openMs: 3_600_000 }).next()
  await connected
  controller.abort(new Error('Given up'))
  await expect(patient).rejects.toThrow('Given up')
  for (const socket of open) socket.destroy()
  await new Promise((done) => mute.close(done))
})
