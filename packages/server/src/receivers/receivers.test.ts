// Messages to receivers that do as they like: whatever they do, the platform gets an outcome in time and goes nowhere else.
import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startReceiver, type TestReceiver } from '../../test/hooks/receiver.ts'
import { createReceivers } from './receivers.ts'

let receiver: TestReceiver

beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const ALLOW_LOOPBACK = { allowedNetworks: ['127.0.0.0/8'], clock: () => 0 }
const message = (url = receiver.url) => ({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"ä":1}' })
const send = (url?: string, options: Partial<Parameters<typeof createReceivers>[0]> = {}) =>
  createReceivers({ ...ALLOW_LOOPBACK, ...options }).send(message(url), new AbortController().signal)

test('a message arrives as it is, and the beginning of the answer is kept, safe to show', async () => {
  receiver.answer = (response) => void response.writeHead(201).end('tak\u001b[31men\u0000')
  expect(await send()).toEqual({ status: 201, text: 'taken', error: null, retryAfterMs: 0 })
  expect(receiver.received).toMatchObject([
    {
      body: '{"ä":1}',
      headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json', 'user-agent': 'shipway' },
    },
  ])
})

test.each([301, 302, 303, 307, 308])('an answer of %i leads nowhere', async (status) => {
  const other = await startReceiver()
  receiver.answer = (response) => void response.writeHead(status, { location: other.url }).end()
  expect(await send()).toMatchObject({ status, error: expect.stringContaining('Redirects are not followed') })
  expect(other.received).toEqual([])
  await other.stop()
})

test('the outcome has the Retry-After of the receiver', async () => {
  receiver.answer = (response) => void response.writeHead(503, { 'retry-after': '120' }).end()
  expect(await send()).toMatchObject({ status: 503, error: 'The receiver answered 503', retryAfterMs: 120_000 })
})

test('an answer without an end is read no further than is kept', async () => {
  let written = 0
  receiver.answer = (response) => {
    response.writeHead(200)
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a'))) written += 65_536
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }
  const outcome = await send()
  expect(outcome).toMatchObject({ status: 200, text: 'a'.repeat(1_024) })
  expect(written).toBeLessThan(50 * 1024 * 1024)
})

test('an answer that comes byte by byte is waited for no longer than its status', async () => {
  receiver.answer = (response) => {
    response.writeHead(200)
    response.write('x')
  }
  expect(await send()).toMatchObject({ status: 200, text: 'x', error: null })
})

test('a receiver that breaks off after its status has answered', async () => {
  receiver.answer = (response, socket) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half', () => socket.end())
  }
  expect(await send()).toMatchObject({ status: 200, error: null })
})

test('a receiver that says nothing is given up in time', async () => {
  receiver.answer = () => undefined
  expect(await send(undefined, { timeoutMs: 50 })).toEqual({
    status: null,
    text: null,
    retryAfterMs: 0,
    error: 'The receiver did not answer within 0.05 seconds',
  })
})

test('a receiver that resets the connection, or switches the protocol, gave no answer', async () => {
  receiver.answer = (_, socket) => void socket.resetAndDestroy()
  expect(await send()).toMatchObject({ status: null, error: 'The receiver closed the connection without an answer' })
  receiver.answer = (_, socket) =>
    void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  expect(await send()).toMatchObject({ status: null, error: expect.any(String) })
})

test('one that talks no HTTP, and one with endless headers, fail', async () => {
  const sockets = new Set<Socket>()
  let bytes = '220 mail.example.com ESMTP\r\n'
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  expect(await send(url)).toMatchObject({ error: 'The receiver answered with something that is not HTTP' })
  bytes = `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(100_000)}`
  expect(await send(url)).toMatchObject({ status: null, error: 'The headers of the answer are too long' })
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('private addresses are refused where a name leads there, and so is one among many', async () => {
  const resolve = async () => ['93.184.216.34', '169.254.169.254']
  const outcome = await send('http://hooks.example.com/', { allowedNetworks: [], resolve })
  expect(outcome).toMatchObject({ status: null, error: expect.stringContaining('leads to 169.254.169.254') })
  expect(await send(undefined, { allowedNetworks: [] })).toMatchObject({
    error: expect.stringContaining('SHIPWAY_ALLOWED_NETWORKS'),
  })
  expect(receiver.received).toEqual([])
})

test('a name is asked for once, and the address that was checked is the one that is connected to', async () => {
  let asked = 0
  const resolve = async () => {
    asked += 1
    return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254']
  }
  expect(await send(`http://rebound.example.com:${receiver.port}/`, { resolve })).toMatchObject({ status: 204 })
  expect(asked).toBe(1)
  expect(receiver.received[0]?.headers.host).toBe(`rebound.example.com:${receiver.port}`)
})

test('an unknown name and a closed port are reported', async () => {
  const resolve = async () => []
  expect(await send('http://nobody.example.com/', { resolve })).toMatchObject({
    error: expect.stringContaining('no address'),
  })
  await receiver.stop()
  expect(await send()).toMatchObject({ error: expect.stringContaining('refused the connection') })
  receiver = await startReceiver()
})

test('an aborted request has no outcome', async () => {
  const stopper = new AbortController()
  receiver.answer = () => stopper.abort()
  await expect(createReceivers(ALLOW_LOOPBACK).send(message(), stopper.signal)).rejects.toThrow()
})
