import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedTestEdge, openEmbeddedEdge, routeTo } from '../../test/embedded-edge.ts'
import { type Loopback, sendRaw, serve } from '../../test/loopback.ts'

let edge: EmbeddedTestEdge
let app: Loopback
let reached: string[] = []

beforeAll(async () => {
  edge = await openEmbeddedEdge()
  app = await serve((req, res) => {
    reached.push(`${req.method} ${req.url}`)
    req.resume().on('end', () => res.end('application'))
  })
  edge.replaceRoutes([routeTo(app.port)], [])
})
afterAll(async () => {
  await edge.close()
  await app.close()
})

const start = 'POST / HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n'

test.each([
  ['two lengths', `${start}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`, 400],
  ['a length and a coding', `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a coding that is not the last', `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`, 400],
  ['an unknown coding', `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 501],
  ['a second coding', `${start}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501],
  ['a length with a sign', `${start}Content-Length: +4\r\n\r\nabcd`, 400],
  ['a space before the colon', `${start}Content-Length : 4\r\n\r\nabcd`, 400],
  ['a folded header', `${start}X: 1\r\n Transfer-Encoding: chunked\r\n\r\n`, 400],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: app.test\n\n', 400],
  ['a chunk of no size', `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`, 400],
  ['two hosts', `${start}Host: ship.example.com\r\n\r\n`, 400],
  [
    'another host in the address',
    'GET http://other.test/ HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n',
    400,
  ],
])('%s is refused and never reaches the application whole', async (_name, bytes, status) => {
  reached = []
  expect(await sendRaw(edge.port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  // The head of the request is valid and already forwarded when its body turns out to be invalid.
  if (!bytes.includes('zz')) expect(reached).toEqual([])
})

test('an address with its origin reaches the application as a path', async () => {
  reached = []
  const bytes = 'GET http://APP.test:80?q=1 HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n'
  expect(await sendRaw(edge.port, bytes)).toContain('application')
  expect(reached).toEqual(['GET /?q=1'])
})

test('a client of HTTP/1.0 gets a complete response', async () => {
  const answer = await sendRaw(edge.port, 'GET / HTTP/1.0\r\nHost: app.test\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).not.toMatch(/transfer-encoding/i)
  expect(answer).toMatch(/\r\n\r\napplication$/)
})

test('a client that expects 100 Continue gets it', async () => {
  const bytes = `${start}Expect: 100-continue\r\nContent-Length: 4\r\n\r\nabcd`
  expect(await sendRaw(edge.port, bytes)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
})
