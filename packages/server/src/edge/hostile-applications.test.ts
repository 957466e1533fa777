// Applications that respond with anything: each can break only its own requests.
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type EmbeddedTestEdge, openEmbeddedEdge, routeTo } from '../../test/embedded-edge.ts'
import { type HostileApplication, openHostileApplication } from '../../test/hostile-application.ts'
import { ask, type Loopback, serve } from '../../test/loopback.ts'

let edge: EmbeddedTestEdge
let hostile: HostileApplication
let healthy: Loopback
const uncaught: unknown[] = []
const hear = (error: unknown): void => void uncaught.push(error)

beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', hear)
  edge = await openEmbeddedEdge()
  hostile = await openHostileApplication()
  healthy = await serve((_req, res) => res.end('healthy'))
  edge.replaceRoutes([routeTo(hostile.port, 'hostile.test'), routeTo(healthy.port, 'healthy.test')], [])
})

afterEach(async () => {
  expect((await ask(edge.port, 'healthy.test')).text).toBe('healthy')
  expect(uncaught).toEqual([])
})

afterAll(async () => {
  for (const one of [edge, hostile, healthy]) await one.close()
  process.off('uncaughtExceptionMonitor', hear)
})

/** Everything that a client receives. A leaving client closes its connection as soon as the application has sent everything. */
async function receive(request: string, { leaves }: { readonly leaves: boolean }): Promise<string> {
  const socket = connect(edge.port, '127.0.0.1')
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  socket.on('error', () => socket.destroy())
  hostile.onAnswered = () => void (leaves && setImmediate(() => socket.resetAndDestroy()))
  let received = ''
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
  })
  socket.write(request, 'latin1')
  await closed
  return received
}

const get = 'GET / HTTP/1.1\r\nHost: hostile.test\r\nConnection: close\r\n\r\n'
const upgrade = 'GET / HTTP/1.1\r\nHost: hostile.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
const say = (text: string): void => {
  hostile.answer = { pieces: [Buffer.from(text, 'latin1')], end: 'end' }
}

test.each([
  ['a control byte in the status line', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\nok'],
  ['a NUL in the status line', 'HTTP/1.1 200 \0\r\nContent-Length: 2\r\n\r\nok'],
  ['a delete in the status line', 'HTTP/1.1 200 a\x7fb\r\nContent-Length: 2\r\n\r\nok'],
])('%s is left out, and the answer passes', async (_, text) => {
  say(text)
  for (const request of [get, upgrade]) {
    const answer = await receive(request, { leaves: false })
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toMatch(/\r\n\r\nok$/)
  }
})

test.each([
  ['a status below 100', 'HTTP/1.1 099 Low\r\n\r\n'],
  ['a status of zero', 'HTTP/1.1 000 \x01\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 1000 High\r\n\r\n'],
  ['a 101 without an upgrade', 'HTTP/1.1 101 \x01\r\n\r\n'],
  ['a 100 and no answer after it', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['a 103 and no answer after it', 'HTTP/1.1 103 \x02\r\nLink: x\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a control byte in a header', 'HTTP/1.1 200 OK\r\nX-Odd: a\x01b\r\n\r\nok'],
  ['a header without a name', 'HTTP/1.1 200 OK\r\n: value\r\n\r\nok'],
  ['headers without end', `HTTP/1.1 200 OK\r\nX-Long: ${'y'.repeat(100_000)}`],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
])('%s is a 502', async (_, text) => {
  say(text)
  for (const request of [get, upgrade]) {
    const answer = await receive(request, { leaves: false })
    expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/)
    expect(answer).toMatch(/The application does not answer|The answer of the application cannot be read/)
  }
})

test.each([
  [
    'lines that end with LF alone',
    'HTTP/1.1 200 OK\nContent-Length: 2\n\nok',
    'ends with LF alone. Each must end with CR LF',
  ],
  [
    'one such line',
    'HTTP/1.1 200 OK\r\nX-One: a\nContent-Length: 2\r\n\r\nok',
    'ends with LF alone. Each must end with CR LF',
  ],
  ['another protocol', '\x15\x03\x01\x00\x02\x02\x16', 'another protocol, such as HTTPS'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok', 'says twice how long'],
  ['long headers', `HTTP/1.1 200 OK\r\nX-Long: ${'y'.repeat(20_000)}\r\n\r\n`, 'more than 16 KiB'],
])('%s: the page says what is wrong', async (_, text, words) => {
  say(text)
  for (const request of [get, upgrade]) {
    const answer = await receive(request, { leaves: false })
    expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/)
    expect(answer).toContain(words)
    // The page contains nothing that the application sent.
    expect(answer).not.toContain('yyy')
  }
})

test('an upgrade that was not requested is a 502', async () => {
  say('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nand more')
  for (const request of [get, get.replace('GET', 'HEAD'), get.replace('GET', 'POST')]) {
    expect(await receive(request, { leaves: false })).toMatch(/^HTTP\/1\.1 502 /)
  }
})

test('a truncated response is a 502 before its headers are complete, and is cut off after that', async () => {
  const text = 'HTTP/1.1 200 O\x01K\r\nX-Odd: \xff\r\nContent-Length: 3\r\n\r\nabc'
  const whole = text.indexOf('\r\n\r\n') + 4
  for (let length = 0; length < text.length; length++) {
    say(text.slice(0, length))
    const answer = await receive(get, { leaves: false })
    expect(answer, String(length)).toMatch(length < whole ? /^HTTP\/1\.1 502 / : /^(HTTP\/1\.1 200 |$)/)
  }
})

const bytes = fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some).toString('latin1'))
const sometimes = <Value>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ arbitrary: usual, weight: 4 }, { arbitrary: odd, weight: 1 })

const head = fc
  .record({
    version: sometimes(fc.constant('HTTP/1.1'), fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'http/1.1', 'HTTP/9.9', 'ICY')),
    status: sometimes(
      fc.constantFrom('200', '204', '205', '304', '101', '404', '500'),
      fc.constantFrom('000', '99', '100', '102', '103', '199', '999', '1000', '-1', 'abc', ''),
    ),
    reason: sometimes(
      fc.constantFrom('OK', '', 'a\x01b', 'a\x7fb', '\x80\xff', 'a\tb', '\0', 'x'.repeat(20_000)),
      bytes.map((text) => text.replaceAll(/[\r\n]/g, '')),
    ),
    headers: fc.array(
      sometimes(
        fc.constantFrom(
          ...[
            'Content-Length: 5',
            'Content-Length: 0',
            'Content-Length: -1',
            'Content-Length: 5, 5',
            'Content-Length: 9e99',
          ],
          ...[
            'Transfer-Encoding: chunked',
            'Transfer-Encoding: gzip',
            'Transfer-Encoding: gzip, chunked',
            'Trailer: X-T',
          ],
          ...[
            'Connection: close',
            'Connection: keep-alive',
            'Connection: Upgrade',
            'Upgrade: websocket',
            'Upgrade: h2c',
          ],
          ...[
            'Connection: content-length, transfer-encoding',
            'Expect: 100-continue',
            'Set-Cookie: a=b\x01',
            'X: \xe9\xff',
          ],
          ...[
            'X-\xe9: y',
            'X : y',
            ': y',
            'X y',
            ' folded',
            'X\0: y',
            'X:',
            `X: ${'y'.repeat(15_000)}`,
            `X: ${'y'.repeat(70_000)}`,
          ],
        ),
        fc.tuple(bytes, bytes).map(([name, value]) => `${name}: ${value}`),
      ),
      { maxLength: 5 },
    ),
    lineEnd: sometimes(fc.constant('\r\n'), fc.constantFrom('\n', '\r', '\r\r\n')),
  })
  .map(({ version, status, reason, headers, lineEnd }) =>
    [`${version} ${status} ${reason}`, ...headers, '', ''].join(lineEnd),
  )

const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

const scene = fc.record({
  heads: fc.array(sometimes(head, fc.constant(switching)), { minLength: 1, maxLength: 3 }),
  body: sometimes(
    fc.constantFrom(
      ...[
        '',
        'hello',
        '5\r\nhello\r\n0\r\n\r\n',
        '5\r\nhello\r\n0\r\nX-T: \x01\r\n\r\n',
        '5\r\nhel',
        'ffffffffffffffffff\r\n',
      ],
      ...[`5;${'e'.repeat(20_000)}`, 'zz\r\n', '-5\r\nhello', '5\r\nhelloXX0\r\n\r\n', 'h'.repeat(200_000)],
    ),
    bytes,
  ),
  cut: fc.double({ min: 0, max: 1.5, noNaN: true }),
  pieces: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  end: fc.constantFrom('end', 'destroy', 'reset', 'stay'),
  request: fc.constantFrom(
    ...['GET', 'HEAD', 'OPTIONS', 'DELETE'].map((method) => get.replace('GET', method)),
    ...[upgrade, `${upgrade}and more`],
    'POST / HTTP/1.1\r\nHost: hostile.test\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello',
    // The response comes before the end of these.
    'POST / HTTP/1.1\r\nHost: hostile.test\r\nConnection: close\r\nContent-Length: 500000\r\n\r\nhello',
    'POST / HTTP/1.1\r\nHost: hostile.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
  ),
  leaves: fc.boolean(),
})

test('any bytes from an application, in any pieces, affect only their own request', async () => {
  let turn = 0
  const property = fc.asyncProperty(scene, async ({ heads, body, cut, pieces, end, request, leaves }) => {
    const all = Buffer.from(`${heads.join('')}${body}`, 'latin1')
    const sent = all.subarray(0, Math.ceil(cut * all.length))
    const offsets = [0, ...pieces.map((piece) => Math.floor(piece * sent.length)), sent.length].sort((a, b) => a - b)
    hostile.answer = { pieces: offsets.slice(1).map((offset, at) => sent.subarray(offsets[at], offset)), end }
    const isLeft = leaves || end === 'stay'
    const answer = await receive(request, { leaves: isLeft })
    // A reset may overtake data sent before it.
    if (!isLeft) expect(answer).toMatch(end === 'reset' ? /^(HTTP\/1\.1 [1-9]\d\d |$)/ : /^HTTP\/1\.1 [1-9]\d\d /)
    expect(uncaught).toEqual([])
    if (++turn % 20 === 0) expect((await ask(edge.port, 'healthy.test')).text).toBe('healthy')
  })
  await fc.assert(property, { numRuns: Number(process.env.ANSWERS ?? 500) })
}, 3_600_000)
