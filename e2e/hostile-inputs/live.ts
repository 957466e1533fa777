// The live channel: pages of other sites, frames that no client sends, and readers whose access ends.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { serviceThatRuns } from '../cli/service-file.ts'
import { comesTrue, ended } from '../journey.ts'
import type { Guarded } from './guarded.ts'
import { must } from './must.ts'
import { numbered, type Rows, scenarios, table } from './table.ts'
import type { World } from './world.ts'

const origins = numbered('cswsh', [2, 5], ['null', 'https://good.example:444'])

/** What is sent, and the codes that the connection may be closed with; 1006 where it is closed before all was sent. */
type Frames = readonly [send: (socket: WebSocket) => void, ...codes: readonly number[]]

const frames: Rows<Frames> = numbered(
  'ws-msg',
  [5, 6, 7, 8, 9],
  [
    [(socket) => socket.send('x'.repeat(1024 * 1024)), 1009],
    [
      (socket) => {
        for (let part = 0; part < 160; part++) socket.send('x'.repeat(64 * 1024), { fin: false })
      },
      1009,
      1006,
    ],
    [(socket) => socket.send(Buffer.from('{"type":"ping"}')), 1003],
    [(socket) => socket.send(Buffer.from([0xc3, 0x28]), { binary: false }), 1007],
    [
      (socket) => {
        for (let count = 0; count < 300; count++) socket.ping()
      },
      4429,
    ],
  ],
)

const messages = numbered('ws-msg', [2, 4], ['{"type":"subscribe","id":"a","topic":"*"}', '{"topic":{"$ne":null}}'])

export const liveTables = [
  ...table({
    surface: 'origins of live connections',
    rows: origins,
    holds: async (world: World, origin: string) => {
      const guarded = await world.guarded()
      const { token } = guarded.users.owner
      for (const headers of [{ cookie: guarded.cookie }, { authorization: `Bearer ${token}` }]) {
        const status = await statusOf(guarded, { ...headers, origin })
        must(status === 403, status)
      }
    },
  }),
  ...table({
    surface: 'frames of live connections',
    rows: frames,
    holds: async (world: World, [send, ...codes]) => {
      const reader = await open(await world.guarded())
      reader.socket.on('error', () => undefined)
      send(reader.socket)
      const code = await reader.closed
      must(codes.includes(code), code)
    },
  }),
  ...table({
    surface: 'messages of live connections',
    rows: messages,
    holds: async (world: World, message: string) => {
      const guarded = await world.guarded()
      const reader = await open(guarded)
      reader.socket.send(message)
      const refused = await reader.next('error')
      if (message.includes('*')) {
        reader.socket.send('{"type":"subscribe","id":"a","topic":"project:987654321"}')
        const unknown = await reader.next('error')
        must(JSON.stringify(refused) === JSON.stringify(unknown), [refused, unknown])
      }
      // The connection goes on.
      reader.socket.send(JSON.stringify({ type: 'subscribe', id: 'b', topic: `project:${guarded.project.id}` }))
      await reader.next('subscribed')
      reader.socket.close()
    },
  }),
  ...scenarios('live connections whose access ends', {
    'ws-msg-011': async (world) => {
      const guarded = await world.guarded()
      const { body } = await guarded.call('POST', '/api/tokens', { body: { name: 'Live', scopes: ['read'] } })
      const reader = await open(guarded, body.token)
      reader.socket.send(JSON.stringify({ type: 'subscribe', id: 'a', topic: `project:${guarded.project.id}` }))
      await reader.next('subscribed')
      const begun = performance.now()
      await guarded.call('DELETE', `/api/tokens/${body.id}`)
      const code = await reader.closed
      must(code === 4401 && performance.now() - begun < 5000, { code, ms: performance.now() - begun })
    },
    'ws-msg-012': async (world) => {
      const guarded = await world.guarded()
      const { client, project } = guarded
      const made = { name: `seen-${guarded.next()}`, branch: 'main' }
      const { id } = await client.createEnvironment({ params: { id: project.id }, body: made })
      const reader = await open(guarded)
      reader.socket.send(JSON.stringify({ type: 'subscribe', id: 'a', topic: `environment:${id}` }))
      await reader.next('subscribed')
      await guarded.call('DELETE', `/api/environments/${id}`)
      const isTold = async () => reader.received.some((text) => /"environment\.deleted"|"unsubscribed"/.test(text))
      must(await comesTrue(isTold, 5), reader.received)
      reader.socket.close()
    },
  }),
  ...scenarios('readers that go', {
    'ws-inversion-001': async (world) =>
      mustGoOnWithout(world, async (url, token, taskId) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`, ['service.live.v1'], {
          headers: { authorization: `Bearer ${token}` },
        })
        await once(socket, 'open')
        socket.send(JSON.stringify({ type: 'subscribe', id: 'a', topic: `task:${taskId}:log` }))
        await once(socket, 'message')
        socket.terminate()
      }),
    'ws-inversion-003': async (world) =>
      mustGoOnWithout(world, async (url, token, taskId) => {
        const cut = new AbortController()
        const headers = { authorization: `Bearer ${token}` }
        const answer = await fetch(`${url}/api/tasks/${taskId}/log?follow=1`, { headers, signal: cut.signal })
        await answer.body?.getReader().read()
        cut.abort()
      }),
  }),
]

type Leave = (url: string, token: string, taskId: number) => Promise<void>

/** The deployment ends well though its reader leaves in the middle. */
async function mustGoOnWithout(world: World, leave: Leave): Promise<void> {
  const { journey, commit, environmentId: id } = await world.manual()
  commit({ '.service.yml': serviceThatRuns('echo begun; sleep 2; echo through') })
  const { id: taskId } = await journey.client.startDeployment({ params: { id } })
  const hasBegun = async () => (await journey.client.readTaskLog({ params: { id: taskId } })).includes('begun')
  must(await comesTrue(hasBegun), 'no output')
  await leave(journey.platform.url, journey.platform.filled.token, taskId)
  const { status } = await ended(journey.client, taskId)
  must(status === 'succeeded', status)
}

function connect({ port, users }: Guarded, headers: Record<string, string>): WebSocket {
  const all = { authorization: `Bearer ${users.owner.token}`, ...headers }
  if ('cookie' in headers) Reflect.deleteProperty(all, 'authorization')
  return new WebSocket(`ws://localhost:${port}/api/live`, ['service.live.v1'], {
    headers: all,
    perMessageDeflate: false,
  })
}

async function statusOf(guarded: Guarded, headers: Record<string, string>): Promise<number> {
  const socket = connect(guarded, headers)
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.once('open', () => {
    socket.close()
    resolve(101)
  })
  socket.once('unexpected-response', (_request, response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
  socket.once('error', () => undefined)
  return promise
}

async function open(guarded: Guarded, token = guarded.users.owner.token) {
  const socket = connect(guarded, { authorization: `Bearer ${token}` })
  const received: string[] = []
  const taken = new Set<number>()
  socket.on('message', (data) => received.push(...String(data).split('\n')))
  const closed = once(socket, 'close').then(([code]) => Number(code))
  await once(socket, 'open')
  return {
    socket,
    received,
    closed,
    /** The first message of this type that was not given yet. */
    next: async (type: string): Promise<unknown> => {
      for (;;) {
        const index = received.findIndex((text, at) => !taken.has(at) && JSON.parse(text).type === type)
        if (index >= 0) {
          taken.add(index)
          return JSON.parse(received[index] ?? '')
        }
        if (socket.readyState === socket.CLOSED) throw new Error(`closed with ${await closed}`)
        await Promise.race([once(socket, 'message'), closed])
      }
    },
  }
}
