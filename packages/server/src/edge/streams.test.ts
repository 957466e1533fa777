import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedTestEdge, openEmbeddedEdge, routeTo } from '../../test/embedded-edge.ts'
import { ask, responseTo, serve } from '../../test/loopback.ts'
import { heldBytes } from '../../test/processes/held-memory.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function edgeBefore(...listener: Parameters<typeof serve>): Promise<EmbeddedTestEdge> {
  const edge = await openEmbeddedEdge()
  const app = await serve(...listener)
  opened.push(edge, app)
  edge.replaceRoutes([routeTo(app.port)], [])
  return edge
}

const chunk = Buffer.alloc(1024 * 1024, 7)
/** Twice what the edge may hold, at the least: one that buffers is found. */
const megabytes = 120

/** The edge receives them from a socket, so it holds copies of its own. */
function* chunks(peak: { bytes: number }): Generator<Buffer> {
  for (let sent = 0; sent < megabytes; sent++) {
    if (sent % 40 === 39) peak.bytes = Math.max(peak.bytes, heldBytes())
    yield chunk
  }
}

async function countBytes(stream: Readable): Promise<number> {
  let bytes = 0
  for await (const part of stream) bytes += part.length
  return bytes
}

test('an upload and a download of 120 MB pass without being buffered', async () => {
  const peak = { bytes: 0 }
  const edge = await edgeBefore(async (req, res) => {
    if (req.method === 'GET') return pipeline(Readable.from(chunks(peak)), res)
    res.end(String(await countBytes(req)))
  })
  const before = heldBytes()
  const upload = request({ port: edge.port, method: 'PUT', agent: false, headers: { host: 'app.test' } })
  const answered = responseTo(upload)
  await pipeline(Readable.from(chunks(peak)), upload)
  const [text] = await (await answered).setEncoding('utf8').toArray()
  expect(text).toBe(String(megabytes * chunk.length))
  const download = request({ port: edge.port, agent: false, headers: { host: 'app.test' } })
  download.end()
  expect(await countBytes(await responseTo(download))).toBe(megabytes * chunk.length)
  expect(peak.bytes).toBeGreaterThan(0)
  expect(peak.bytes - before).toBeLessThan(60 * 1024 * 1024)
})

test('the start of a response arrives before its end', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>()
  const edge = await edgeBefore((_req, res) => {
    res.flushHeaders()
    ask(res)
  })
  const req = request({ port: edge.port, agent: false, headers: { host: 'app.test' } })
  req.end()
  const answer = await responseTo(req)
  const res = await asked
  res.write('first')
  expect(String((await once(answer, 'data'))[0])).toBe('first')
  res.end('last')
  expect(String((await once(answer, 'data'))[0])).toBe('last')
})

test('the start of a body arrives before its end is sent', async () => {
  const { promise: asked, resolve: take } = Promise.withResolvers<IncomingMessage>()
  const edge = await edgeBefore((req, res) => {
    take(req)
    req.on('end', () => res.end('done'))
  })
  const req = request({ port: edge.port, method: 'POST', agent: false, headers: { host: 'app.test' } })
  req.write('first')
  expect(String((await once(await asked, 'data'))[0])).toBe('first')
  req.end('last')
  expect((await responseTo(req)).statusCode).toBe(200)
})

test('an application notices that a client went away before its answer', async () => {
  const { promise: asked, resolve: take } = Promise.withResolvers<ServerResponse>()
  const edge = await edgeBefore((_req, res) => take(res))
  const req = request({ port: edge.port, agent: false, headers: { host: 'app.test' } })
  req.on('error', () => undefined)
  req.end()
  const closed = once(await asked, 'close')
  req.destroy()
  await closed
})

test('an application notices that a client went away within its body', async () => {
  const { promise: asked, resolve: take } = Promise.withResolvers<IncomingMessage>()
  const edge = await edgeBefore((req) => take(req.resume()))
  const req = request({ port: edge.port, method: 'POST', agent: false, headers: { host: 'app.test' } })
  req.on('error', () => undefined)
  req.write('first')
  const gone = once(await asked, 'end').catch((error: unknown) => error)
  req.destroy()
  expect(await gone).toMatchObject({ code: 'ECONNRESET' })
})

test('a truncated response does not look complete', async () => {
  const edge = await edgeBefore((_req, res) => {
    res.write('half')
    setImmediate(() => res.destroy())
  })
  await expect(ask(edge.port, 'app.test')).rejects.toThrow(/aborted/)
})

test('an answer that comes before the end of the body arrives', async () => {
  const edge = await edgeBefore((_req, res) => {
    res.writeHead(413).end('too much')
  })
  const answer = await ask(edge.port, 'app.test', { method: 'POST', body: Buffer.alloc(20 * 1024 * 1024) })
  expect(answer).toMatchObject({ status: 413, text: 'too much' })
})

test('closing the edge lets a request under way finish', async () => {
  const edge = await openEmbeddedEdge({ graceMs: 10_000 })
  const { promise: asked, resolve: take } = Promise.withResolvers<ServerResponse>()
  const app = await serve((_req, res) => take(res))
  opened.push(app)
  edge.replaceRoutes([routeTo(app.port)], [])
  const answer = ask(edge.port, 'app.test')
  const res = await asked
  const closed = edge.close()
  res.end('whole')
  expect((await answer).text).toBe('whole')
  await closed
})
