import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasHaproxy } from '../../../test/haproxy.ts'
import { domainTo, type HaproxyEdge, openHaproxyEdge } from '../../../test/haproxy-edge.ts'
import { ask, echoWebSockets, type Loopback, listenOn, responseTo, serve } from '../../../test/loopback.ts'
import { until } from '../../../test/steps.ts'
import { countStreams } from './count-streams.ts'

describe.skipIf(!hasHaproxy)('a switch', () => {
  const opened: { close(): Promise<void> }[] = []
  let edge: HaproxyEdge
  beforeEach(async () => {
    edge = keep(await openHaproxyEdge())
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })

  function keep<Opened extends { close(): Promise<void> }>(one: Opened): Opened {
    opened.push(one)
    return one
  }

  test('loses no request while a route goes back and forth under 20 clients', async () => {
    const both = [keep(await serve((_req, res) => res.end('0'))), keep(await serve((_req, res) => res.end('1')))]
    // Connections that an application drops as soon as they are idle are the hardest case.
    for (const { server } of both) server.keepAliveTimeout = 1
    await edge.lead(domainTo(both[0]?.port ?? 0))
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const answers: string[] = []
    let isOver = false
    const client = async (): Promise<void> => {
      for (let sent = 0; sent < 100 || !isOver; sent++) {
        const isPost = sent % 3 === 0
        const req = request({ port: edge.port, agent, method: isPost ? 'POST' : 'GET', headers: { host: 'app.test' } })
        req.end(isPost ? 'body' : undefined)
        const answer = await responseTo(req)
        answer.setEncoding('utf8')
        let text = ''
        for await (const chunk of answer) text += chunk
        answers.push(`${answer.statusCode} ${text}`)
      }
    }
    const clients = Promise.all(Array.from({ length: 20 }, client))
    for (let turn = 1; turn <= 20; turn++) {
      await edge.lead(domainTo(both[turn % 2]?.port ?? 0))
      expect((await ask(edge.port, 'app.test')).text).toBe(String(turn % 2))
    }
    isOver = true
    await clients
    agent.destroy()
    expect(answers.length).toBeGreaterThanOrEqual(2000)
    expect(answers.filter((answer) => !/^200 [01]$/.test(answer))).toEqual([])
  })

  test('a kept connection that the application drops costs no request', async () => {
    const used = new Set<unknown>()
    let dropped = 0
    const app = keep(
      await serve((req, res) => {
        if (used.has(req.socket)) {
          dropped++
          req.socket.destroy()
        } else res.end('whole')
        used.add(req.socket)
      }),
    )
    await edge.lead(domainTo(app.port))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const method of ['GET', 'GET', 'POST', 'HEAD', 'GET', 'OPTIONS', 'DELETE', 'GET']) {
      const req = request({ port: edge.port, agent, method, headers: { host: 'app.test' } })
      req.end()
      const answer = await responseTo(req)
      await once(answer.resume(), 'end')
      expect(answer.statusCode, method).toBe(200)
    }
    agent.destroy()
    expect(dropped).toBeGreaterThan(0)
  })

  test('a slow request and a WebSocket stay with the application that took them, and count until they end', async () => {
    const { promise: taken, resolve: take } = Promise.withResolvers<() => void>()
    const slowServer = createServer((_req, res) => take(() => res.end('old')))
    echoWebSockets(slowServer, 'old')
    const old = keep(await listenOn(slowServer))
    const fresh = keep(await serve((_req, res) => res.end('fresh')))
    const streams = (one: Loopback) => countStreams(edge.host, edge.folder, [one.port, 1])
    await edge.lead(domainTo(old.port))
    const slow = ask(edge.port, 'app.test')
    const finish = await taken
    const socket = await openWebSocket(edge.port, 'app.test')
    expect(await streams(old)).toBe(2)
    await edge.lead(domainTo(fresh.port))
    expect((await ask(edge.port, 'app.test')).text).toBe('fresh')
    expect(await say(socket, 'still there')).toBe('old: still there')
    expect(await streams(fresh)).toBe(0)
    finish()
    expect((await slow).text).toBe('old')
    await until(async () => (await streams(old)) === 1)
    socket.resume().end(Buffer.from([0x88, 0x80, 0, 0, 0, 0]))
    await until(async () => (await streams(old)) === 0)
  })
})

async function openWebSocket(port: number, host: string): Promise<Duplex> {
  const headers = { host, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': btoa('sixteen letters!') }
  const req = request({ port, headers })
  req.end()
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>()
  req.once('upgrade', (_answer, socket) => resolve(socket))
  req.once('response', ({ statusCode }) => reject(new Error(`answered ${statusCode}`)))
  req.once('error', reject)
  return promise
}

/** One short text frame there and one back. */
async function say(socket: Duplex, text: string): Promise<string> {
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
  const [frame]: Buffer[] = await once(socket, 'data')
  return frame?.subarray(2).toString() ?? ''
}
