// A platform that wants to fill the memory of the client, or to keep it busy for ever.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMcpProcess, textOf } from './mcp-client.ts'
import { openProgram, type Program } from './program.ts'

let hostile: Server
let program: Program
/** One process for all answers, which may have little memory: a client that wanted more would be ended by Node. */
let limited: Client
let answer: (response: ServerResponse, url: URL) => void
let asked = 0

beforeAll(async () => {
  hostile = createServer((request, response) => {
    asked++
    answer(response, new URL(request.url ?? '/', 'http://localhost'))
  })
  hostile.listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
  const settings = { SHIPWAY_URL: url, SHIPWAY_TOKEN: 'shw_pat_x', NODE_OPTIONS: '--max-old-space-size=160' }
  program = openProgram(settings)
  limited = await openMcpProcess(program, [])
})
afterAll(async () => {
  await limited.close()
  program.stop()
  hostile.close()
})

const JSON_TYPE = { 'content-type': 'application/json' }
const list = (count: number, item: string): string => `[${`${item},`.repeat(count - 1)}${item}]`

test.each<[string, () => string]>([
  ['200,000 items that are none', () => list(200_000, '{}')],
  ['ten million numbers', () => list(10_000_000, '1')],
  ['a million levels', () => '['.repeat(1_000_000)],
  ['one item with a list of 200,000', () => `[{"id":1,"name":"x","services":${list(200_000, '{}')}}]`],
  ['one text of 40 megabytes', () => `["${'x'.repeat(40_000_000)}"]`],
])('%s are not read, and the client says so', async (_name, write) => {
  const body = Buffer.from(write())
  for (const [status, type] of [
    [200, 'application/json'],
    [200, 'text/html'],
    [422, 'application/problem+json'],
  ] as const) {
    answer = (response) => response.writeHead(status, { 'content-type': type }).end(body)
    await expectTooLarge()
    const { code, out, err } = await program.inProcess.run(['projects', 'list'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^The response is larger than any that the platform sends, so it was not read\nCheck /)
  }
})

test('a list within the limits with invalid items is an error, and takes no gigabytes', async () => {
  answer = (response) => response.writeHead(200, JSON_TYPE).end(list(49_000, '{}'))
  const failed = { code: 1, err: expect.stringContaining('that was not understood') }
  expect(await program.run(['projects', 'list'])).toMatchObject(failed)
})

test('a list that always has one more page ends', async () => {
  asked = 0
  answer = (response) =>
    response.writeHead(200, { ...JSON_TYPE, link: '</api/projects?cursor=x>; rel="next"' }).end('[]')
  const { code, err } = await program.inProcess.run(['deploy', '-p', 'shop', '-e', 'x'])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('larger than any that the platform sends') })
  expect(asked).toBeLessThan(1_100)
})

test('a sign-in and an MCP tool have the same limits', async () => {
  answer = (response) => response.writeHead(200, JSON_TYPE).end(list(1_000_000, '{}'))
  const url = program.environment().SHIPWAY_URL ?? ''
  expect(await program.inProcess.run(['login', url], { env: { SHIPWAY_TOKEN: '' } })).toMatchObject({
    code: 1,
    err: expect.stringContaining('larger than any that the platform sends'),
  })
  await expectTooLarge()
})

/** The process answers, and so has not been ended by the answer before. */
async function expectTooLarge(): Promise<void> {
  const called = await limited.callTool({ name: 'list_variables', arguments: { project: 'x', environment: 'y' } })
  expect(called.isError).toBe(true)
  expect(textOf(called)).toContain('larger than any that the platform sends')
}
