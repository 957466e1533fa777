// `shipway channels` and `shipway alerts` against a real platform and a real receiver.
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenOn } from '../../packages/server/test/loopback.ts'
import { beginJourney, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'

let journey: Journey
let program: InProcess
let receiver: Awaited<ReturnType<typeof listenOn>>
let status = 200
const received: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = []

beforeAll(async () => {
  receiver = await listenOn(
    createServer(async (req, res) => {
      received.push({ headers: req.headers, body: await text(req) })
      res.writeHead(status).end(status === 200 ? 'thanks' : `no such path ${req.url}`)
    }),
  )
  journey = await beginJourney('embedded', 'local', { settings: { SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
})
afterAll(async () => {
  program.stop()
  await journey.stop()
  await receiver.close()
})

test('a channel is added, tested, listed and removed, and its address is never printed', async () => {
  expect(await program.run(['channels', 'list'])).toMatchObject({ code: 0, out: expect.stringMatching(/^No channels/) })
  const url = `http://127.0.0.1:${receiver.port}/hooks/a-secret-path`
  const added = await program.run(['channels', 'add', 'webhook', '--name', 'on call', '--address', '-'], { input: url })
  expect(added).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Channel on call \(\d+\) to 127\.0\.0\.1\n\nwhsec_/),
  })
  expect(await program.run(['channels', 'test', 'on call'])).toMatchObject({
    code: 0,
    out: 'Sent: The receiver answered 200\n  thanks\n',
  })
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'channel.test' })
  expect(received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  status = 404
  const refused = await program.run(['channels', 'test', 'on call'])
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/^Did not arrive: .*404/) })
  const listed = await program.run(['channels', 'list'])
  expect(listed.out).toMatch(/on call +webhook +127\.0\.0\.1 .* failed /)
  for (const { out, err } of [added, refused, listed]) expect(out + err).not.toContain('a-secret-path')
  expect(await program.run(['channels', 'remove', 'on call'])).toMatchObject({ code: 2 })
  expect(await program.run(['channels', 'remove', 'on call', '--yes'])).toMatchObject({
    code: 0,
    out: 'Deleted the channel on call\n',
  })
  expect(await program.run(['channels', 'test', 'on call'])).toMatchObject({ code: 5 })
})

test('a type that is unknown or lacks a field says what to give', async () => {
  expect(await program.run(['channels', 'add', 'pager'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Give a type: mail, slack'),
  })
  expect(await program.run(['channels', 'add', 'telegram', '--recipient', '1'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('needs --token'),
  })
})

test('without alerts nothing is wrong', async () => {
  expect(await program.run(['alerts'])).toEqual({ code: 0, out: 'Nothing is wrong\n', err: '' })
  expect((await program.run(['alerts', '--all', '--json'])).out.trim()).toBe('[]')
})
