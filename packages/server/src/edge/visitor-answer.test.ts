import { afterEach, expect, test } from 'vitest'
import { type Loopback, serve } from '../../test/loopback.ts'
import { readVisitorAnswer, visitApplication } from './visitor-answer.ts'

let opened: Loopback | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

test('the request has the domain as its host', async () => {
  opened = await serve(({ headers }, res) => {
    res.statusCode = headers.host === 'app.test' && headers['x-forwarded-host'] === 'app.test' ? 200 : 400
    res.end(headers['x-forwarded-proto'])
  })
  expect(await visitApplication({ domain: 'app.test', port: opened.port })).toEqual({ status: 200, text: 'http' })
})

test('reads the start of a long response, and the status of an endless one', async () => {
  opened = await serve((_req, res) => {
    res.statusCode = 500
    res.write('x'.repeat(20_000))
  })
  const answer = await visitApplication({ domain: 'app.test', port: opened.port })
  expect(answer).toEqual({ status: 500, text: 'x'.repeat(8 * 1024) })
  await opened.close()
  opened = await serve((_req, res) => {
    res.writeHead(502)
    res.write('begun')
  })
  expect(await visitApplication({ domain: 'app.test', port: opened.port })).toEqual({ status: 502, text: 'begun' })
})

test('an application that is missing, silent or disconnects gives no response', async () => {
  opened = await serve((req) => req.socket.destroy())
  const { port } = opened
  expect(await visitApplication({ domain: 'app.test', port })).toBeUndefined()
  await opened.close()
  expect(await visitApplication({ domain: 'app.test', port })).toBeUndefined()
  opened = await serve(() => undefined)
  expect(await visitApplication({ domain: 'app.test', port: opened.port })).toBeUndefined()
})

test.each([
  ['HTTP/1.1 400 Bad Request\r\nA: b\r\n\r\nno', { status: 400, text: 'no' }],
  ['HTTP/2 421\r\na: b\r\n\r\n', { status: 421, text: '' }],
  ['HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\nyes', { status: 200, text: 'yes' }],
  ['HTTP/1.1 502 Bad', { status: 502, text: '' }],
  ['', undefined],
  ['nonsense', undefined],
])('%j is read as an answer', (wire, answer) => {
  expect(readVisitorAnswer(wire)).toEqual(answer)
})
