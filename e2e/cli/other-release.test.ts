// The client with platforms of other releases: a proxy changes real answers into those of an older and of a newer platform.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginJourney, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'
import { serviceThatRuns } from './service-file.ts'

type Change = (name: string, value: unknown) => unknown

let journey: Journey
let program: InProcess
let proxy: Server
/** Gives undefined for a field that the platform does not send. */
let change: Change
const at = ['-p', 'hello', '-e', 'staging'] as const

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
  await journey.createEnvironment('staging')
  proxy = createServer(passOn)
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  program = openInProcess({ SHIPWAY_URL: url, SHIPWAY_TOKEN: journey.platform.filled.token })
})
afterAll(async () => {
  program.stop()
  proxy.closeAllConnections()
  proxy.close()
  await journey.stop()
})
beforeEach(() => {
  change = (_name, value) => value
})

function passOn(incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, url = '/', headers } = incoming
  const passed = { method, headers: { ...headers, host: new URL(journey.platform.url).host }, agent: false }
  const asked = request(new URL(url, journey.platform.url), passed, async (response) => {
    const { 'content-length': _length, ...kept } = response.headers
    answer.writeHead(response.statusCode ?? 502, kept)
    if (!/\bjson\b/.test(response.headers['content-type'] ?? '')) response.pipe(answer)
    else answer.end(JSON.stringify(JSON.parse(await text(response)), (name, value) => change(name, value)))
  })
  incoming.pipe(asked)
}

const run: InProcess['run'] = (words, how) => program.run(words, how)

test('a platform that does not know runtimes yet registers a server, and the client says so', async () => {
  change = (name, value) => (['runtime', 'setup_warning', 'needs_setup'].includes(name) ? undefined : value)
  expect(await run(['server', 'add', 'Second', '--local'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Server Second \(\d+\)/),
  })
  const listed = await run(['server', 'check', 'Second', '--json'])
  expect(listed.err).toBe('')
})

test('deployments, lists and variables work without fields that were added later', async () => {
  const later = ['expires_at', 'last_deployment', 'answers', 'services', 'unmasked_keys', 'output', 'is_fork', 'author']
  change = (name, value) => (later.includes(name) ? undefined : value)
  expect(await run(['deploy', ...at, '--wait'])).toMatchObject({ code: 0, out: expect.stringMatching(/^http/) })
  for (const words of [
    ['envs', 'list', '-p', 'hello'],
    ['tasks', 'list', ...at],
    ['tasks', 'show', ...at],
    ['vars', 'set', ...at, 'KEY=value-of-key'],
    ['vars', 'list', ...at],
    ['diagnose', ...at],
    ['status', ...at],
  ]) {
    const { code, err } = await run(words)
    expect({ words, code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining('not understood') })
  }
})

test('words that a newer platform added are shown as they are', async () => {
  change = (name, value) => (name === 'status' && (value === 'running' || value === 'degraded') ? 'asleep' : value)
  expect(await run(['envs', 'list', '-p', 'hello'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/staging +asleep/),
  })
})

test('what was done is not reported as failed, even if the answer cannot be read', async () => {
  change = (name, value) => (name === 'organization_id' ? undefined : value)
  const made = await run(['server', 'add', 'Third', '--local'])
  expect(made).toMatchObject({ code: 1, out: '' })
  expect(made.err).toMatch(/^127\.0\.0\.1:\d+ did what was asked for\. Do not repeat it: .*\(v1\.15\.0\S*\)/)
  const asJson = await run(['server', 'add', 'Fourth', '--local', '--json'])
  expect(JSON.parse(asJson.err)).toMatchObject({ code: 'done_but_not_understood', status: 201 })
  const names = (await journey.client.listServers()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Third', 'Fourth']))
  expect(await run(['server', 'check', 'Third'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/gave an answer that was not understood, since it runs another release/),
  })
})
