// Each inner part of the built client starts, in both forms: the bundler can lose the initialisation of a module that works as source.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT_CLIENT, buildClient, INNER_PARTS } from '../build.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-built-client-'))
const repository = join(folder, 'repository')
const forms = { file: BUILT_CLIENT, package: join(folder, 'package/shipway.mjs') }

beforeAll(async () => {
  await buildClient()
  execFileSync('tar', ['-xzf', join(dirname(BUILT_CLIENT), 'shipway.tgz'), '-C', folder])
  mkdirSync(repository)
  writeFileSync(
    join(repository, '.service.yml'),
    'services:\n  web: { port: 3000 }\nmanual:\n  deploy: [{ run: ./start.sh }]\n',
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Nothing listens there. */
const NOWHERE = { SHIPWAY_URL: 'http://127.0.0.1:9', SHIPWAY_TOKEN: 'shw_pat_none' }

async function run(form: keyof typeof forms, words: readonly string[], input = '') {
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', ...NOWHERE }
  const child = spawn(process.execPath, [forms[form], ...words], { cwd: repository, env, stdio: 'pipe' })
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}
const messages = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]

type Start = {
  readonly words: readonly string[]
  readonly input?: string
  readonly shows: Readonly<Record<string, unknown>>
}

/** For each part a run that loads it and shows that it works. */
const STARTS: Readonly<Record<string, Start>> = {
  contract: {
    words: ['whoami'],
    shows: { code: 1, out: '', err: expect.stringMatching(/^127\.0\.0\.1:9 did not answer\./) },
  },
  mcp: {
    words: ['mcp', '--tools', 'all', '--allow-write'],
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    shows: { code: 0, err: '', out: expect.stringContaining('"name":"deploy_working_tree"') },
  },
  rules: {
    words: ['check'],
    shows: { code: 0, out: expect.stringContaining('manual recipe') },
  },
}

test('each part has a run that starts it', () => {
  expect(Object.keys(STARTS).sort()).toEqual(INNER_PARTS.map(({ name }) => name).sort())
})

describe.each(['file', 'package'] as const)('the built client as one %s', (form) => {
  test.each(Object.entries(STARTS))('starts its part %s', async (_, { words, input, shows }) => {
    expect(await run(form, words, input)).toMatchObject(shows)
  })

  test('prints its help and the guide for assistants', async () => {
    expect(await run(form, ['--help'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('shipway') })
    expect(await run(form, ['skill'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^---\nname: shipway\n/),
    })
  })
})
