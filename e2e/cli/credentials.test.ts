// Signing in and out by the real device flow, and a sign-in that is kept up by many processes at once.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '../../packages/server/src/secrets/token.ts'
import type { Database } from '../../packages/server/src/store/database.ts'
import { buildEnvironment, buildOrganization, buildProject, buildUser } from '../../packages/server/test/factories.ts'
import { type Platform, startPlatform } from '../../tools/platform.ts'
import { until } from '../journey.ts'
import type { InProcessRun } from './in-process.ts'
import { openMcp } from './mcp-client.ts'
import { openProgram, type Program } from './program.ts'
import { type Relay, startRelay } from './relay.ts'

/** Records beforehand: a user who is signed in to the dashboard, in an organization with a project. */
async function fill({ db }: Database): Promise<{ readonly cookie: string }> {
  const records = { db, clock: Date.now }
  const user = await buildUser(records, { name: 'Ada', email: 'ada@example.com' })
  const organization = await buildOrganization(records, [{ user, role: 'owner' }])
  const project = await buildProject(records, { organizationId: organization.id, ownerId: user.id }, { name: 'Hello' })
  await buildEnvironment(records, project, { name: 'staging' })
  const { token, digest } = newToken('shw_session_')
  const times = { created_at: Date.now(), last_seen_at: Date.now(), expires_at: Date.now() + 86_400_000 }
  await db
    .insertInto('sessions')
    .values({ user_id: user.id, token_digest: digest, ...times })
    .execute()
  return { cookie: `shipway_session=${token.reveal()}` }
}

let platform: Platform & { filled: { readonly cookie: string } }
let relay: Relay
let program: Program
let file: string

beforeAll(async () => {
  relay = await startRelay(() => platform.url)
  platform = await startPlatform('embedded', fill, { SHIPWAY_BASE_URL: relay.url })
  program = openProgram({})
  file = join(program.home, 'config/shipway/credentials.json')
})
afterEach(() => {
  relay.interfere = undefined
})
afterAll(async () => {
  program.stop()
  await relay.stop()
  await platform.stop()
})

const read = () => JSON.parse(readFileSync(file, 'utf8'))
const change = (fields: object): void => {
  const credentials = read()
  Object.assign(credentials.instances[relay.url], fields)
  writeFileSync(file, JSON.stringify(credentials))
}
const refreshes = () => relay.passed.filter((line) => line === 'POST /oauth/token').length

/** What a user does in the browser with the code that the client shows. */
async function answer({ stderr }: InProcessRun, decision: 'approve' | 'deny'): Promise<void> {
  let shown = ''
  stderr.on('data', (piece: Buffer) => {
    shown += String(piece)
  })
  const code = await until(async () => /^ {4}([A-Z]{4}-[A-Z]{4})$/m.exec(shown)?.[1], 'the code is shown')
  const { cookie } = platform.filled
  const headers = {
    cookie,
    origin: relay.url,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  }
  const url = `${relay.url}/api/device-requests/${code}/answer`
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify({ decision }) })).status).toBe(204)
}

async function signIn(): Promise<void> {
  const run = program.inProcess.start(['login', relay.url])
  await answer(run, 'approve')
  expect(await run.ended).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringMatching(/Signed in to 127\.0\.0\.1:\d+, organization Organization \d+\.\n$/),
  })
}

describe('a sign-in', () => {
  test('is approved in the browser, and stored for its owner only', async () => {
    await signIn()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(read()).toMatchObject({
      current: relay.url,
      instances: { [relay.url]: { scope: expect.stringContaining('deploy') } },
    })
    const { out } = await program.inProcess.run(['whoami'])
    expect(out).toMatch(/^Ada <ada@example\.com> on 127\.0\.0\.1:\d+\n {2}owner of .*\n {2}Signed in for read, deploy/)
    const deployed = await program.inProcess.run(['deploy', '-p', 'hello', '-e', 'staging', '--json'])
    expect(JSON.parse(deployed.out)).toMatchObject({ cause: 'cli', started_by: { name: 'Ada' } })
  })

  test('that is refused ends with 4 and changes nothing', async () => {
    const before = read()
    const run = program.inProcess.start(['login', relay.url])
    await answer(run, 'deny')
    expect(await run.ended).toMatchObject({ code: 4, out: '', err: expect.stringContaining('refused in the browser') })
    expect(read()).toEqual(before)
  })

  test('is waited for until Ctrl-C', async () => {
    const { child, ended } = program.start(['login', relay.url])
    await new Promise<void>((resolve) =>
      child.stderr?.on('data', (piece: Buffer) => String(piece).includes('Waiting') && resolve()),
    )
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, err: expect.stringContaining('Interrupted') })
  })

  test('fails with a clear error at an address without a platform', async () => {
    relay.interfere = (_line, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>')
      return true
    }
    expect(await program.inProcess.run(['login', relay.url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('sent an unexpected response'),
    })
  })
})

describe('an access token that has ended', () => {
  /** A fifth are processes of their own; the others begin while the first of these renews. */
  const runAtOnce = async (count: number, words: readonly string[]) => {
    const isRenewing = new Promise<void>((resolve) => {
      relay.interfere = (line) => {
        if (line === 'POST /oauth/token') resolve()
        return false
      }
    })
    const processes = Array.from({ length: count / 5 }, () => program.run(words))
    await isRenewing
    const others = Array.from({ length: count - count / 5 }, () => program.inProcess.run(words))
    return Promise.all([...processes, ...others])
  }

  test('is renewed once, by the first of twenty clients at the same time', async () => {
    change({ expires_at: Date.now() - 1000 })
    const before = refreshes()
    const runs = await runAtOnce(20, ['projects', 'list', '--json'])
    expect(runs.map(({ code, err }) => ({ code, err }))).toEqual(runs.map(() => ({ code: 0, err: '' })))
    expect(refreshes() - before).toBe(1)
    expect(await program.inProcess.run(['whoami'])).toMatchObject({ code: 0 })
  })

  test('is renewed by one of ten clients when the platform refuses it', async () => {
    change({ access_token: 'shw_at_0000000000000000000000000000000000000000000000000' })
    const before = refreshes()
    const runs = await runAtOnce(10, ['whoami', '--json'])
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0))
    expect(refreshes() - before).toBe(1)
  })

  test.each([
    ['is away', 503, '{"error":"temporarily_unavailable"}'],
    ['fails', 500, '{"error":"server_error"}'],
    ['is behind a proxy with a page of its own', 502, '<h1>Bad gateway</h1>'],
    ['says something else', 400, '{"error":"invalid_request"}'],
  ])('is kept if the platform %s', async (_name, status, body) => {
    change({ expires_at: 0 })
    const before = read()
    relay.interfere = (line, reply) => {
      if (line !== 'POST /oauth/token') return false
      reply.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body)
      return true
    }
    expect(await program.inProcess.run(['whoami'])).toMatchObject({ code: 1, out: '' })
    expect(read()).toEqual(before)
    relay.interfere = undefined
    expect(await program.inProcess.run(['whoami'])).toMatchObject({ code: 0 })
  })

  test('a client that is killed while it renews leaves no lock behind', async () => {
    change({ expires_at: 0 })
    const isReached = new Promise<void>((resolve) => {
      relay.interfere = (line) => {
        if (line === 'POST /oauth/token') resolve()
        return true
      }
    })
    const { child, ended } = program.start(['whoami'])
    await isReached
    child.kill('SIGKILL')
    await ended
    relay.interfere = undefined
    expect(await program.inProcess.run(['whoami'])).toMatchObject({ code: 0 })
  })
})

describe('the MCP server', () => {
  const scopesOf = async (token: string) => {
    const answer = await fetch(`${platform.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
    return Object(await answer.json()).token?.scopes
  }

  test('without --allow-write has tokens that can only read, and leaves the sign-in whole', async () => {
    relay.tokens.clear()
    const before = refreshes()
    const client = await openMcp(program.inProcess, [])
    const call = () =>
      client.callTool({ name: 'list_variables', arguments: { project: 'hello', environment: 'staging' } })
    const answers = await Promise.all([call(), call(), call()])
    expect(answers.map(({ isError }) => isError ?? false)).toEqual([false, false, false])
    await client.close()
    expect(refreshes() - before).toBe(1)
    expect(relay.tokens.size).toBe(1)
    for (const token of relay.tokens) expect(await scopesOf(token)).toEqual(['read'])
    change({ expires_at: 0 })
    expect(await program.inProcess.run(['whoami'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Signed in for read, deploy, vars:write, ssh, admin; renews itself'),
    })
  })

  test('with it acts as the signed-in user', async () => {
    relay.tokens.clear()
    const client = await openMcp(program.inProcess, ['--allow-write'])
    const answer = await client.callTool({
      name: 'set_variables',
      arguments: { project: 'hello', environment: 'staging', variables: { FROM_MCP: 'value' } },
    })
    expect(answer.isError).toBeFalsy()
    await client.close()
    for (const token of relay.tokens) expect(await scopesOf(token)).toContain('vars:write')
  })
})

describe('the file', () => {
  test('that others can read is made private', async () => {
    chmodSync(file, 0o644)
    expect(await program.inProcess.run(['whoami'])).toMatchObject({ code: 0 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('that is a link stays one', async () => {
    const elsewhere = join(program.home, 'dotfiles')
    mkdirSync(elsewhere)
    renameSync(file, join(elsewhere, 'credentials.json'))
    symlinkSync(join(elsewhere, 'credentials.json'), file)
    change({ expires_at: 0 })
    expect(await program.inProcess.run(['whoami'])).toMatchObject({ code: 0 })
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(read().instances[relay.url].expires_at).toBeGreaterThan(Date.now())
  })

  test('that is damaged is an error, and is not deleted', async () => {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.slice(0, -20))
    expect(await program.inProcess.run(['whoami'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Move it away'),
    })
    expect(readFileSync(file, 'utf8')).toBe(text.slice(0, -20))
    writeFileSync(file, text)
  })

  test('a platform sees only its own sign-in', async () => {
    const other = await startRelay(platform.url)
    expect(await program.inProcess.run(['whoami', '--url', other.url])).toMatchObject({
      code: 4,
      err: expect.stringContaining('shipway login'),
    })
    expect(other.passed).toEqual([])
    await other.stop()
  })
})

describe('the end of a sign-in', () => {
  test('on the platform clears it, and says how to sign in again', async () => {
    const { refresh_token: token } = read().instances[relay.url]
    const body = new URLSearchParams({ client_id: 'shipway-cli', token })
    await fetch(`${platform.url}/oauth/revocation`, { method: 'POST', body })
    expect(await program.inProcess.run(['whoami'])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringMatching(/has ended\nSign in again: shipway login http/),
    })
    expect(read()).toMatchObject({ instances: {} })
  })

  test('by logout ends it on the platform too', async () => {
    await signIn()
    const { access_token: token } = read().instances[relay.url]
    expect(await program.inProcess.run(['logout'])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^Signed out of /),
    })
    expect(read()).toMatchObject({ instances: {} })
    const asked = await fetch(`${platform.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(asked.status).toBe(401)
    expect(await program.inProcess.run(['logout', '--json'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('"signed_out":false'),
    })
    expect(existsSync(`${file}.new`)).toBe(false)
  })
})
