// Answers that come before the end of the request: the connection is closed after them, they say so, and they are not lost to a reset.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { routeTo } from '../../../test/embedded-edge.ts'
import { buildOrganization, buildUser, type TestUser } from '../../../test/factories.ts'
import { type Loopback, responseTo, serve } from '../../../test/loopback.ts'
import { readRest } from '../../../test/stage/front.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

let app: TestApp
let application: Loopback
let user: TestUser
let port: number

beforeAll(async () => {
  app = await openTestApp(source, { refusedDeliveriesPerMinute: 1 })
  user = await buildUser(app.ctx)
  await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
  application = await serve((_req, res) => res.writeHead(413).end('too much'))
  const known = { domain: 'new.test', environmentId: 2 }
  app.ctx.embeddedEdge.replaceRoutes([routeTo(application.port)], [known])
  // From here on deliveries from this address to unknown hooks are refused before they are read.
  for (let count = 0; count < 2; count++) await deliver(new Agent({ keepAlive: false }))
})
afterAll(async () => {
  await app.close()
  await application.close()
})

async function deliver(agent: Agent): Promise<{ status: number; connection: string | undefined }> {
  const headers = { host: 'ship.example.com' }
  const sent = request({ port, method: 'POST', path: '/api/webhooks/nobody-has-this-one', agent, headers })
  sent.end('{"a":1}')
  const answer = await responseTo(sent)
  await answer.toArray()
  return { status: answer.statusCode ?? 0, connection: answer.headers.connection }
}

const LENGTH = 8 * 1024 * 1024
const lengthOf = `Content-Length: ${LENGTH}`
const json = 'Content-Type: application/json'

/** The head first, the body only once the answer has begun. */
async function sendLate(head: readonly string[], body: Buffer): Promise<{ answer: string; error: Error | undefined }> {
  const socket = connect(port, '127.0.0.1')
  let error: Error | undefined
  socket.on('error', (failure) => {
    error = failure
  })
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [first] = await once(socket, 'data')
  const rest = readRest(socket)
  socket.end(body)
  return { answer: String(first) + (await rest), error }
}

describe('an answer before the body', () => {
  const platform = 'Host: ship.example.com'
  test.each<[string, number, readonly string[]]>([
    ['of a caller that is not signed in', 401, ['POST /api/servers HTTP/1.1', platform, json, lengthOf]],
    [
      'of a token that does not hold',
      401,
      ['POST /api/servers HTTP/1.1', platform, 'Authorization: Bearer x', lengthOf],
    ],
    ['of a body that is too large', 413, ['POST /api/session HTTP/1.1', platform, json, lengthOf]],
    ['of another type', 415, ['POST /api/session HTTP/1.1', platform, 'Content-Type: text/plain', lengthOf]],
    ['of no endpoint', 404, ['POST /api/nowhere HTTP/1.1', platform, lengthOf]],
    ['of another method', 405, ['PUT /api/servers HTTP/1.1', platform, lengthOf]],
    ['of a host that is not served', 421, ['POST /api/servers HTTP/1.1', 'Host: evil.example', lengthOf]],
    ['of a page', 405, ['POST /api/reference HTTP/1.1', platform, lengthOf]],
    ['of a delivery that is too much', 429, ['POST /api/webhooks/nobody-has-this-one HTTP/1.1', platform, lengthOf]],
    ['of an environment without a deployment', 503, ['POST / HTTP/1.1', 'Host: new.test', lengthOf]],
    ['of an application', 413, ['POST / HTTP/1.1', 'Host: app.test', lengthOf]],
    ['of what cannot be read', 400, ['POST / HTTP/1.1', platform, lengthOf, lengthOf]],
    ['of headers that are too large', 431, ['POST / HTTP/1.1', platform, `X: ${'x'.repeat(20_000)}`]],
  ])('%s arrives, and says that the connection is closed', async (_, status, head) => {
    const { answer, error } = await sendLate(head, Buffer.alloc(LENGTH, 'x'))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*connection: close`, 'is'))
    expect(error).toBeUndefined()
  })

  test('of a body without an end is closed after a while', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve))
    const head = ['POST /api/servers HTTP/1.1', platform, 'Transfer-Encoding: chunked']
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(16)
    let sent = 0
    const more = (error?: Error | null): void => {
      if (error || socket.destroyed) return
      sent += piece.length
      socket.write(piece, more)
    }
    socket.resume()
    more()
    await closed
    expect(sent).toBeLessThan(200 * 1024 * 1024)
  })
})

test('deliveries that are refused one after the other lose no connection that they were promised', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; count < 300; count++) expect(await deliver(agent)).toMatchObject({ status: 429 })
  const refused = await Promise.all(Array.from({ length: 300 }, () => deliver(new Agent({ keepAlive: true }))))
  expect(refused.every(({ status }) => status === 429)).toBe(true)
  agent.destroy()
})

describe('an upgrade that is refused', () => {
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  test.each([
    ['of the live channel', 401, `GET /api/live HTTP/1.1\r\nHost: ship.example.com\r\n${upgrade}`],
    [
      'of a foreign page',
      403,
      `GET /api/live HTTP/1.1\r\nHost: ship.example.com\r\nOrigin: https://evil.example\r\n${upgrade}`,
    ],
    ['of a host that is not served', 421, `GET /api/live HTTP/1.1\r\nHost: evil.example\r\n${upgrade}`],
    ['of an environment without a deployment', 503, `GET / HTTP/1.1\r\nHost: new.test\r\n${upgrade}`],
    ['of an application', 413, `GET / HTTP/1.1\r\nHost: app.test\r\n${upgrade}`],
  ])('%s says that the connection is closed, and is', async (_, status, text) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setTimeout(120_000, () => socket.destroy(new Error('The connection stayed open')))
    socket.write(text)
    expect(await readRest(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*connection: close`, 'is'))
  })
})
