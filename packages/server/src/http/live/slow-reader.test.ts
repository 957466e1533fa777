// A reader that does not read: what waits for it is bounded, no other reader waits for it, and it loses nothing. What it waits for is the
// connection, so that one database is enough.
import { expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildRunningTask } from '../../../test/factories.ts'
import { isOfType, type LiveReader, openLiveReader } from '../../../test/live-reader.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { appendOutput, beginStep } from '../../progress/progress.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'

const MOST_HELD = 256 * 1024
/** More than the buffers of a connection take. */
const PARTS = 32
const PART = `${'x'.repeat(1023)}\n`.repeat(512)

/** Many of them, within what may be asked at once. */
const ASKED = 200
/** What one of them takes at most. */
const ANSWER_BYTES = 50 * 5_000

const [source] = databases

test('a slow reader lags, gets a message that says so, and has seen everything once in the end', async () => {
  if (!source) throw new Error('There is no database for the tests')
  const app = await openTestApp(source)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const project = await buildOwnedProject(app.ctx)
  const environment = await buildEnvironment(app.ctx, project)
  const lease = await buildRunningTask(app.ctx, environment.id)
  const topic = `task:${lease.taskId}:log`
  const read = () => openLiveReader(app.app, { token: project.owner.token })
  const [slow, quick] = [await read(), await read()]
  for (const reader of [slow, quick]) {
    await reader.subscribe(topic)
    await reader.subscribe(`environment:${environment.id}`)
  }
  slow.socket.pause()
  for (let part = 0; part < PARTS; part++)
    await appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from(`${part}\n${PART}`) })
  const whole = Array.from({ length: PARTS }, (_, part) => `${part}\n${PART}`).join('')
  await expect.poll(() => printed(quick).length).toBe(whole.length)
  const held = await heldBytes(app)
  expect(held).toBeGreaterThan(0)
  expect(held).toBeLessThanOrEqual(MOST_HELD)
  for (let round = 1; round <= 50; round++)
    await app.ctx.change(PLATFORM, (tx) => updateEnvironment(tx, environment.id, { title: `Round ${round}` }))
  await expect.poll(() => titles(quick).at(-1)).toBe('Round 50')
  slow.socket.resume()
  await expect.poll(() => printed(slow).length).toBe(whole.length)
  expect(printed(slow) === whole && printed(quick) === whole).toBe(true)
  expect(await slow.next(isOfType('lagged'))).toMatchObject({ topic })
  // The one that was under way when there was no room, and what the record was by then.
  await expect.poll(() => titles(slow).at(-1)).toBe('Round 50')
  expect(titles(slow).length).toBeLessThanOrEqual(2)
  await expect.poll(() => heldBytes(app)).toBe(0)
  for (const reader of [slow, quick]) reader.socket.close()
  await app.close()
})

test('a reader that asks without reading the answers is held no more for, and gets all of them once it reads', async () => {
  if (!source) throw new Error('There is no database for the tests')
  const app = await openTestApp(source)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const project = await buildOwnedProject(app.ctx)
  const lease = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
  for (let position = 1; position <= 50; position++)
    await beginStep(app.ctx, lease, { position, phase: 'Build', key: `${position}`, name: 'x'.repeat(4000) })
  const read = () => openLiveReader(app.app, { token: project.owner.token })
  const reader = await read()
  reader.socket.pause()
  for (let count = 0; count < ASKED; count++)
    reader.send({ type: 'subscribe', id: `${count}`, topic: `task:${lease.taskId}` })
  await expect.poll(() => heldBytes(app)).toBeGreaterThan(MOST_HELD - ANSWER_BYTES)
  // As long as it takes to answer another client many times, and it says that it is there.
  const other = await read()
  for (let count = 0; count < 30; count++) {
    reader.socket.pong()
    await other.subscribe(`task:${lease.taskId}`)
  }
  expect(await heldBytes(app)).toBeLessThanOrEqual(MOST_HELD + ANSWER_BYTES)
  other.socket.close()
  reader.socket.resume()
  const answers = () => reader.messages.filter(isOfType('subscribed')).map(({ id }) => id)
  await expect.poll(() => answers().length).toBe(ASKED)
  expect(answers()).toEqual(Array.from({ length: ASKED }, (_, count) => `${count}`))
  reader.socket.close()
  await app.close()
})

async function heldBytes({ app }: TestApp): Promise<number> {
  return Number(/^shipway_live_held_bytes (\d+)$/m.exec(await app.metrics.metrics())?.[1])
}

const printed = ({ messages }: LiveReader): string =>
  messages.flatMap((one) => (one.type === 'event' && one.event === 'log.append' ? one.data.text : [])).join('')

const titles = ({ messages }: LiveReader): readonly string[] =>
  messages.flatMap((one) => (one.type === 'event' && one.event === 'environment.updated' ? one.data.title : []))
