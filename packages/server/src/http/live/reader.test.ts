// What a reader gets while its sign-in is checked again.
import { EventEmitter } from 'node:events'
import type { WebSocket } from '@fastify/websocket'
import { LiveMessage } from '@shipway/api/live'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import type { SignIn } from '../authenticate.ts'
import { SharedOutputs } from '../logs/shared-output.ts'
import { EnvironmentOutputs } from '../service-logs/environment-outputs.ts'
import { Descriptions } from './descriptions.ts'
import { Reader } from './reader.ts'
import { Tail } from './tail.ts'

describe.each(databases)('a reader on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>
  beforeAll(async () => {
    project = await buildOwnedProject(app.ctx)
  })

  test('is not shown what it asked for before it left, while that is being found out', async () => {
    const { id } = await buildEnvironment(app.ctx, project, { title: 'Secret' })
    const { owner, organizationId } = project
    const lookups: PromiseWithResolvers<SignIn | undefined>[] = []
    const tail = new Tail(app.ctx)
    const limit = limitConcurrency({ concurrency: 1, maxQueued: 1 })
    const limitQueries = <Result>(_user: number, work: () => Promise<Result>) => limit(work)
    const sources = {
      ctx: app.ctx,
      tail,
      descriptions: new Descriptions(app.ctx, tail),
      outputs: new SharedOutputs(app.ctx),
      serviceLogs: new EnvironmentOutputs(app.ctx),
      limitQueries,
    }
    const signIn = () => {
      const lookup = Promise.withResolvers<SignIn | undefined>()
      lookups.push(lookup)
      return lookup.promise
    }
    const around = { sources, heldBytes: { bytes: 0 }, signIn, admit: () => undefined, mayAsk: () => true }
    const { socket, messages } = fakeSocket()
    const reader = new Reader(around, socket, { headers: {}, method: 'GET', ip: '127.0.0.1', id: 'test' })
    const first = reader.check()
    await expect.poll(() => lookups.length).toBe(1)
    lookups[0]?.resolve(signInOf(owner.id, [organizationId]))
    await first
    // Reading the changes finds out that a user left.
    const refresh = tail.refresh.bind(tail)
    tail.refresh = async () => {
      await refresh()
      if (lookups.length === 1) void reader.check()
    }
    const request = JSON.stringify({ type: 'subscribe', id: 'a', topic: `environment:${id}` })
    socket.emit('message', Buffer.from(request), false)
    await expect.poll(() => lookups.length).toBe(2)
    // Long enough to read the sign-in several times.
    for (let count = 0; count < 10; count++) await app.ctx.db.selectFrom('environments').selectAll().execute()
    expect(messages).toEqual([])
    lookups[1]?.resolve(signInOf(owner.id, []))
    await expect.poll(() => messages).toEqual([expect.objectContaining({ type: 'error', id: 'a', code: 'not_found' })])
    await tail.close()
  })
})

function signInOf(userId: number, organizations: readonly number[]): SignIn {
  const actor: SignIn['actor'] = {
    userId,
    name: 'Somebody',
    isPlatformAdmin: false,
    roles: new Map(organizations.map((id) => [id, 'viewer'])),
    scopes: new Set(['read']),
    credential: { kind: 'session', id: 1, expiresAt: 0 },
    origin: { address: '127.0.0.1', requestId: 'test' },
  }
  return { actor, until: Number.MAX_SAFE_INTEGER }
}

function fakeSocket() {
  const messages: LiveMessage[] = []
  const send = (text: Buffer, _options: unknown, written: () => void): void => {
    messages.push(LiveMessage.parse(JSON.parse(String(text))))
    written()
  }
  const socket = Object.assign(new EventEmitter(), { OPEN: 1, readyState: 1, send, close: () => undefined })
  return { socket: socket as unknown as WebSocket, messages }
}
