// Answers arrive whole, whatever their size and however they are written.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Loopback } from '../../../test/loopback.ts'
import { responseTo } from '../../../test/loopback.ts'
import { get, openSilent, serveInFront } from '../../../test/stage/front.ts'
import { constantBytes } from './constant-bytes.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const text = 'é'.repeat(400_000)
const bytes = Buffer.from(text)
const constant = constantBytes(bytes)
const digest = (body: Buffer): string => createHash('sha256').update(body).digest('hex')

async function askFor(front: Loopback, path: string, method = 'GET') {
  const sent = request({ port: front.port, path, method, agent: false })
  sent.end()
  const answer = await responseTo(sent)
  const body = Buffer.concat(await answer.toArray())
  return {
    status: answer.statusCode,
    length: answer.headers['content-length'],
    coding: answer.headers['transfer-encoding'],
    body,
  }
}

test('a large body arrives as it was written', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const front = await serveInFront((req, res) => {
    if (req.url === '/text') res.end(text)
    else if (req.url === '/encoded') res.end(text, 'utf8', () => end())
    else if (req.url === '/bytes') res.end(bytes)
    else if (req.url === '/constant') res.end(constant)
    else if (req.url === '/headed') res.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    else if (req.url === '/chunked') res.writeHead(200, { 'transfer-encoding': 'chunked' }).end(bytes)
    else if (req.url === '/unchanged') res.writeHead(304).end(bytes)
    else {
      res.write(bytes)
      res.end(bytes)
    }
  })
  opened.push(front)
  for (const path of ['/text', '/encoded', '/bytes', '/constant', '/headed']) {
    const { status, length, body } = await askFor(front, path)
    expect([path, status, length, digest(body)]).toEqual([path, 200, String(bytes.length), digest(bytes)])
  }
  await ended
  const chunked = await askFor(front, '/chunked')
  expect([chunked.coding, digest(chunked.body)]).toEqual(['chunked', digest(bytes)])
  expect(digest((await askFor(front, '/written')).body)).toBe(digest(Buffer.concat([bytes, bytes])))
  expect(await askFor(front, '/headed', 'HEAD')).toMatchObject({ status: 200, length: String(bytes.length) })
  expect(await askFor(front, '/unchanged')).toMatchObject({ status: 304, body: Buffer.alloc(0) })
})

test('a client that goes away in the middle of a large body ends the answer', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<boolean>()
  const front = await serveInFront((_req, res) => {
    res.once('close', () => close(res.writableFinished))
    res.end(Buffer.alloc(16 * 1024 * 1024))
  })
  opened.push(front)
  const sent = request({ port: front.port, agent: false })
  sent.end()
  const answer = await responseTo(sent)
  answer.on('error', () => undefined)
  await once(answer, 'readable')
  sent.destroy()
  expect(await closed).toBe(false)
})

test('a large body is handed to the socket in pieces', async () => {
  const { promise: waiting, resolve: resolveLength } = Promise.withResolvers<number>()
  const front = await serveInFront((_req, res) => {
    res.end(Buffer.alloc(16 * 1024 * 1024))
    resolveLength(res.socket?.writableLength ?? 0)
  })
  opened.push(front)
  const silent = await openSilent(front.port, get('/'))
  expect(await waiting).toBeLessThan(256 * 1024)
  silent.destroy()
})
