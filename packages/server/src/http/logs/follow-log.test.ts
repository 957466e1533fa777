// Following the output of a task over a real connection: every byte once, from anywhere, to the end.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildRunningTask,
  buildToken,
  buildUser,
} from '../../../test/factories.ts'
import { oneDatabase } from '../../../test/one-database.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { appendOutput, endTask } from '../../progress/progress.ts'
import { digestOf } from '../../secrets/token.ts'
import { insertOutput } from '../../store/tasks/outputs.ts'
import type { Lease } from '../../store/tasks/task-queue.ts'
import { followLog } from './follow-log.ts'
import { SharedOutputs } from './shared-output.ts'

type Event = { readonly id?: string; readonly event?: string; readonly data: string; readonly comment?: string }

describe.each(oneDatabase)('following a log on $name', (source) => {
  const app = stageApp(source)
  const { viewer, project } = stageProject(app, { viewer: 'viewer' })
  let lease: Lease
  let port: number
  const open = new Set<IncomingMessage>()

  beforeAll(async () => {
    port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  beforeEach(async () => {
    for (const answer of open) answer.destroy()
    lease = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
  })
  afterAll(() => {
    for (const answer of open) answer.destroy()
  })

  const print = (bytes: string | Buffer) => appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from(bytes) })
  const end = () => endTask(app.ctx, lease, { status: 'failed', reason: 'timed_out' })

  async function follow(query = '', headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const path = `/api/tasks/${lease.taskId}/log?follow=1${query}`
    const authorization = `Bearer ${viewer.token}`
    const sent = request({ port, host: '127.0.0.1', path, headers: { authorization, ...headers }, agent: false }).end()
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    if (!answer) throw new Error('There is no answer')
    open.add(answer)
    answer.once('close', () => open.delete(answer))
    // A connection that the test or the server ends is no fault of the test.
    answer.on('error', () => open.delete(answer))
    return answer
  }

  test('what was printed comes at once, what is printed later when it is, and then the end', async () => {
    await print('one\n')
    const answer = await follow()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const events = eventsOf(answer)
    expect(await next(events)).toEqual({ id: '4', event: 'output', data: 'one\n' })
    await print('two')
    expect(await next(events)).toEqual({ id: '7', event: 'output', data: 'two' })
    await end()
    const last = await next(events)
    expect(last).toMatchObject({ event: 'end' })
    expect(JSON.parse(last?.data ?? '')).toEqual({ status: 'failed', reason: 'timed_out' })
    expect(await next(events)).toBeUndefined()
  })

  test('a task that has ended is sent whole, in order, and then the end', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} ä€🚀\n`).join('')
    for (let place = 0; place < lines.length; place += 50_000) await print(lines.slice(place, place + 50_000))
    await end()
    const events = await allOf(eventsOf(await follow()))
    expect(textOf(events)).toBe(lines)
    expect(events.at(-1)).toMatchObject({ event: 'end' })
    expect(events.filter(({ event }) => event === 'end')).toHaveLength(1)
    expect(events.at(-2)?.id).toBe(String(Buffer.byteLength(lines)))
  })

  test('from any byte on nothing comes twice and nothing is lost', async () => {
    const whole = Buffer.from('aä€\r\n🚀\rz\n')
    for (const byte of whole) await print(Buffer.from([byte]))
    await end()
    for (let from = 0; from <= whole.length; from++) {
      const expected = whole
        .subarray(from)
        .toString('utf8')
        .replaceAll(/\r\n|\r/g, '\n')
      const byOffset = await allOf(eventsOf(await follow(`&offset=${from}`)))
      const byHeader = await allOf(eventsOf(await follow('&offset=0', { 'last-event-id': String(from) })))
      expect(textOf(byOffset), `from ${from}`).toBe(expected)
      expect(byHeader).toEqual(byOffset)
    }
  })

  test('a member who is removed, or whose token is taken back, sees nothing more', async () => {
    const member = await buildUser(app.ctx)
    const membership = {
      organization_id: project.organization_id,
      user_id: member.id,
      role: 'member' as const,
      created_at: 1,
    }
    await app.ctx.db.insertInto('memberships').values(membership).execute()
    const taken = await buildToken(app.ctx, member.id)
    const followAs = async (token: string) => eventsOf(await follow('', { authorization: `Bearer ${token}` }))
    const [byMember, byToken] = [await followAs(member.token), await followAs(taken)]
    await print('one\n')
    for (const events of [byMember, byToken]) expect(await next(events)).toMatchObject({ data: 'one\n' })
    const digest = digestOf(taken)
    await app.ctx.db.updateTable('personal_tokens').set({ revoked_at: 1 }).where('token_digest', '=', digest).execute()
    expect(await allOf(byToken)).toEqual([])
    await app.ctx.db.deleteFrom('memberships').where('user_id', '=', member.id).execute()
    expect(await allOf(byMember)).toEqual([])
  })

  test('half a character waits for its other half', async () => {
    const rocket = Buffer.from('🚀')
    await print(Buffer.concat([Buffer.from('a'), rocket.subarray(0, 2)]))
    const events = eventsOf(await follow())
    expect(await next(events)).toMatchObject({ id: '1', data: 'a' })
    await print(rocket.subarray(2))
    expect(await next(events)).toMatchObject({ id: '5', data: '🚀' })
    await print(Buffer.from([0xe2, 0x82]))
    await end()
    expect(await next(events)).toMatchObject({ id: '7', data: '\ufffd' })
    expect(await next(events)).toMatchObject({ event: 'end' })
  })

  test('printed text cannot end the following', async () => {
    await print('x\n\nevent: end\ndata: {"status":"succeeded"}\n\n')
    await end()
    const events = await allOf(eventsOf(await follow()))
    expect(events.map(({ event }) => event)).toEqual(['output', 'end'])
  })

  test.each([
    ['&offset=5', {}, 416],
    ['', { 'last-event-id': '5' }, 416],
    ['', { 'last-event-id': 'x' }, 422],
    ['', { 'last-event-id': '-1' }, 422],
    ['&offset=x', {}, 422],
    ['', { authorization: '' }, 401],
  ])('%s %j is answered by a problem', async (query, headers, status) => {
    await print('1234')
    const answer = await follow(query, headers)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    answer.destroy()
  })

  test('one user follows at most twenty at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => follow()))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    const refused = await follow()
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('10')
    refused.destroy()
    for (const answer of answers) answer.destroy()
    await vi.waitFor(async () => expect((await follow()).statusCode).toBe(200), { timeout: 120_000 })
  })

  const findTask = async () => ({ status: 'running', reason: null }) as const

  test('output without an event is found all the same, and a quiet connection gets keep-alives', async () => {
    const pace = { pollMs: 1, keepAliveMs: 2 }
    const output = new SharedOutputs(app.ctx).of(lease.taskId)
    const stream = followLog({ output, from: 0, findTask }, pace)
    const events = eventsOf(stream)
    expect(await next(events, (event) => event.comment !== undefined)).toMatchObject({ comment: ' keep-alive' })
    await app.ctx.change(PLATFORM, (tx) => insertOutput(tx, lease, Buffer.from('quiet')))
    expect(await next(events)).toMatchObject({ id: '5', data: 'quiet' })
    stream.destroy()
  })

  test('a slow reader is not read ahead for, and one that goes away leaves no listener', async () => {
    let listeners = 0
    const bus: TestApp['ctx']['bus'] = {
      ...app.ctx.bus,
      listen: (listener) => {
        const stop = app.ctx.bus.listen(listener)
        listeners++
        return () => {
          listeners--
          stop()
        }
      },
    }
    for (let count = 0; count < 20; count++) await print(Buffer.alloc(100_000, 'a'))
    const output = new SharedOutputs({ ...app.ctx, bus }).of(lease.taskId)
    const stream = followLog({ output, from: 0, findTask })
    stream.read(0)
    await once(stream, 'readable')
    expect(String(stream.read())).toMatch(/^retry/)
    await once(stream, 'readable')
    expect(listeners).toBe(1)
    expect(stream.readableLength).toBeLessThan(200_000)
    stream.destroy()
    await once(stream, 'close')
    expect(listeners).toBe(0)
  })
})

describe('closing the server', () => {
  test('those who follow do not keep it open', async () => {
    const [source] = oneDatabase
    if (!source) throw new Error('There is no database to test on')
    const app = await openTestApp(source)
    const viewer = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: viewer, role: 'viewer' }])
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: viewer.id })
    const { taskId } = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const sent = request(`${address}/api/tasks/${taskId}/log?follow=1`, {
      headers: { authorization: `Bearer ${viewer.token}` },
    }).end()
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    const ended = new Promise((resolve) => answer?.on('error', resolve).on('end', resolve).resume())
    await app.close()
    await ended
    expect(answer?.statusCode).toBe(200)
  })
})

/** Reads events as a browser does, as far as is needed here. */
async function* eventsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Event, void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event) yield event
    }
  }
}

function eventOf(block: string): Event | undefined {
  const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/s.exec(line)?.slice(1) ?? ['', line])
  const field = (name: string) => fields.find(([other]) => other === name)?.[1]
  if (field('retry') !== undefined) return undefined
  if (block.startsWith(':')) return { data: '', comment: block.slice(1) }
  const data = fields.flatMap(([name, value]) => (name === 'data' ? [value] : [])).join('\n')
  const [id, event] = [field('id'), field('event')]
  return { ...(id !== undefined && { id }), ...(event !== undefined && { event }), data }
}

/** Without closing the connection, as a loop would. */
async function next(
  events: AsyncGenerator<Event, void>,
  isWanted = (event: Event) => event.comment === undefined,
): Promise<Event | undefined> {
  for (;;) {
    const { done, value } = await events.next()
    if (done || !value) return undefined
    if (isWanted(value)) return value
  }
}

async function allOf(events: AsyncGenerator<Event, void>): Promise<readonly Event[]> {
  const all: Event[] = []
  for await (const event of events) all.push(event)
  return all
}

const textOf = (events: readonly Event[]): string =>
  events.flatMap(({ event, data }) => (event === 'output' ? [data] : [])).join('')
