// The typed client follows logs of the real application, over real connections that break.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { ApiError, NoAnswer } from '@shipway/api/api-error'
import { type Client, createClient } from '@shipway/api/client'
import type { FollowRequest, LogEvent } from '@shipway/api/follow-task-log'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildRunningTask,
  buildToken,
  buildUser,
  type TestUser,
} from '../../test/factories.ts'
import { openTestApp, type TestApp } from '../../test/test-app.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { appendOutput, endTask } from '../progress/progress.ts'
import { digestOf } from '../secrets/token.ts'
import type { Lease } from '../store/tasks/task-queue.ts'

const [source] = databases
let app: TestApp
let proxy: Proxy
let viewer: TestUser
let project: Awaited<ReturnType<typeof buildProject>>
let client: Client
let lease: Lease

beforeAll(async () => {
  if (!source) throw new Error('There is no database for the tests')
  app = await openTestApp(source)
  viewer = await buildUser(app.ctx)
  const organization = await buildOrganization(app.ctx, [{ user: viewer, role: 'viewer' }])
  project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: viewer.id })
  // A connection for each request, so that none stays open for the next one.
  app.app.server.maxRequestsPerSocket = 1
  proxy = await openProxy(Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port))
  client = createClient({ baseUrl: proxy.baseUrl, token: () => viewer.token })
})
beforeEach(async () => {
  proxy.cutAfter = undefined
  lease = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
})
afterAll(async () => {
  await proxy.close()
  await app.close()
})

const print = (bytes: string | Buffer) => appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from(bytes) })
const end = () => endTask(app.ctx, lease, { status: 'failed', reason: 'timed_out' })
const follow = (more: Omit<FollowRequest, 'params'> = {}) =>
  client.followTaskLog({ params: { id: lease.taskId }, ...more })
const END = { type: 'end', status: 'failed', reason: 'timed_out' }

async function next(events: AsyncGenerator<LogEvent>): Promise<LogEvent | undefined> {
  const { done, value } = await events.next()
  return done ? undefined : value
}

async function allOf(events: AsyncIterable<LogEvent>): Promise<LogEvent[]> {
  const all: LogEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a log that grows comes as it is printed, and then how the task ended', async () => {
  await print('one\n')
  const events = follow()
  expect(await next(events)).toEqual({ type: 'output', offset: 4, text: 'one\n' })
  await print('two')
  expect(await next(events)).toEqual({ type: 'output', offset: 7, text: 'two' })
  await end()
  expect(await next(events)).toEqual(END)
  expect(await next(events)).toBeUndefined()
})

test('a long log comes whole', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ä€🚀\n`).join('')
  await print(lines)
  await end()
  const events = await allOf(follow())
  expect(events.map((event) => (event.type === 'output' ? event.text : '')).join('')).toBe(lines)
  expect(events.at(-1)).toEqual(END)
})

test('a connection that breaks in the middle of a character is gone on with by itself', async () => {
  await print('one\n')
  proxy.cutAfter = Buffer.from('🚀').subarray(0, 2)
  const events = follow()
  expect(await next(events)).toEqual({ type: 'output', offset: 4, text: 'one\n' })
  await print('🚀\n')
  expect(await next(events)).toEqual({ type: 'output', offset: 9, text: '🚀\n' })
  expect(proxy.cuts).toBe(1)
  await end()
  expect(await allOf(events)).toEqual([END])
})

test('who gives up gets the reason of giving up, and the connection closes', async () => {
  const controller = new AbortController()
  await print('one\n')
  const events = follow({ signal: controller.signal })
  expect(await next(events)).toMatchObject({ text: 'one\n' })
  const waiting = failure(next(events))
  controller.abort(new Error('Given up'))
  expect(await waiting).toEqual(new Error('Given up'))
  await proxy.allClosed()
})

test('who stops early closes the connection', async () => {
  await print('one\n')
  for await (const event of follow()) {
    expect(event).toMatchObject({ text: 'one\n' })
    break
  }
  await proxy.allClosed()
})

test('what cannot be followed is answered with a problem', async () => {
  await print('1234')
  expect(await failure(allOf(client.followTaskLog({ params: { id: 999_999 } })))).toBeInstanceOf(ApiError)
  expect(await failure(allOf(client.followTaskLog({ params: { id: 999_999 } })))).toMatchObject({ code: 'not_found' })
})

test('a token that is revoked meanwhile ends with a problem', async () => {
  const token = await buildToken(app.ctx, viewer.id)
  const other = createClient({ baseUrl: proxy.baseUrl, token: () => token })
  await print('one\n')
  const events = other.followTaskLog({ params: { id: lease.taskId } })
  expect(await next(events)).toMatchObject({ text: 'one\n' })
  await app.ctx.change(PLATFORM, async (tx) => {
    await tx.updateTable('personal_tokens').set({ revoked_at: 1 }).where('token_digest', '=', digestOf(token)).execute()
    tx.notify({ about: 'user', id: viewer.id, how: 'updated' })
  })
  expect(await failure(next(events))).toMatchObject({ status: 401, code: 'invalid_token' })
})

test('a platform that stays away is given up after the time that the caller sets', async () => {
  const own = await openProxy(Number(new URL(app.app.listeningOrigin).port))
  const events = createClient({ baseUrl: own.baseUrl, token: () => viewer.token }).followTaskLog({
    params: { id: lease.taskId },
    giveUpAfterMs: 50,
  })
  await print('one\n')
  expect(await next(events)).toMatchObject({ text: 'one\n' })
  await own.close()
  expect(await failure(next(events))).toBeInstanceOf(NoAnswer)
})

type Proxy = {
  readonly baseUrl: string
  /** Breaks the next connection whose answer has these bytes, directly after them. */
  cutAfter: Buffer | undefined
  readonly cuts: number
  readonly connections: number
  allClosed(): Promise<void>
  close(): Promise<void>
}

/** Stands between client and application. */
async function openProxy(port: number): Promise<Proxy> {
  const open = new Set<Socket>()
  const proxy = { baseUrl: '', cutAfter: undefined as Buffer | undefined, cuts: 0, connections: 0 }
  const server: Server = createServer((socket) => {
    proxy.connections++
    const application = connect(port, '127.0.0.1')
    open.add(socket.once('close', () => open.delete(socket)))
    for (const [one, other] of [
      [socket, application],
      [application, socket],
    ] as const) {
      one.on('error', () => other.destroy()).once('close', () => other.destroy())
    }
    socket.pipe(application)
    application.on('data', (chunk) => {
      const place = proxy.cutAfter ? chunk.indexOf(proxy.cutAfter) : -1
      if (!proxy.cutAfter || place < 0) return socket.write(chunk)
      const length = place + proxy.cutAfter.length
      proxy.cutAfter = undefined
      proxy.cuts++
      return socket.write(chunk.subarray(0, length), () => socket.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The proxy has no port')
  const allClosed = async (): Promise<void> => {
    await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  }
  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return Object.assign(proxy, { baseUrl: `http://127.0.0.1:${address.port}`, allClosed, close })
}
