// Commands for an organization: members, tokens, sessions, webhooks, the audit log, and the versions of client and platform.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createClient } from '@shipway/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenOn } from '../../packages/server/test/loopback.ts'
import { beginJourney, type Journey, until } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'

let journey: Journey
let program: InProcess
let receiver: Awaited<ReturnType<typeof listenOn>>
const received: string[] = []

beforeAll(async () => {
  receiver = await listenOn(
    createServer(async (req, res) => {
      received.push(await text(req))
      res.writeHead(200).end('thanks')
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

const run: InProcess['run'] = (words, how) => program.run(words, how)
const json: InProcess['json'] = (...words) => program.json(...words)

describe('members', () => {
  test('are invited, join, get another role and are removed', async () => {
    const invited = await run(['members', 'invite', 'ada@example.com', '--role', 'viewer'])
    expect(invited).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Invited ada@example\.com as viewer; expires in 6/),
    })
    expect(invited.err).toContain('It is shown only once.')
    expect((await run(['members', 'invitations'])).out).toMatch(/^ {2}ada@example\.com +viewer +User \d+ +in 6 days$/m)
    const [, token = ''] = /\n\n\S*[=/]([\w-]{20,})\n$/.exec(invited.out) ?? []
    const guest = createClient({ baseUrl: journey.platform.url })
    await guest.acceptInvitation({ body: { token, name: 'Ada', password: 'correct horse battery' } })
    expect((await run(['members', 'list'])).out).toMatch(/^ {2}Ada +ada@example\.com +viewer +/m)
    expect(await run(['members', 'role', 'ada', 'admn'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean admin?'),
    })
    expect(await run(['members', 'role', 'Ada', 'admin'])).toMatchObject({ code: 0, out: 'Ada is admin now\n' })
    expect(await run(['members', 'remove', 'add'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('Did you mean Ada?'),
    })
    expect(await run(['members', 'remove', 'ada@example.com'])).toMatchObject({
      code: 2,
      err: 'Ada <ada@example.com>, admin would be removed from the organization\nConfirm with --yes\n',
    })
    expect(await run(['members', 'remove', 'ada', '--yes'])).toMatchObject({ code: 0, out: 'Removed Ada\n' })
    expect(await json('members', 'list')).toHaveLength(1)
  })

  test('an invitation is withdrawn by its address', async () => {
    await json('members', 'invite', 'bob@example.com')
    expect(await run(['members', 'withdraw', 'bob@example.com'])).toMatchObject({ code: 0 })
    expect(await run(['members', 'invitations'])).toMatchObject({ code: 0, out: 'No open invitations\n' })
  })
})

describe('organizations', () => {
  test('are created, renamed and deleted', async () => {
    const { id } = await json('orgs', 'create', 'Second')
    expect((await run(['orgs', 'list'])).out).toMatch(/^ {2}Second +owner +/m)
    expect(await run(['members', 'list'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Name it with --org'),
    })
    expect(await run(['orgs', 'rename', 'Third', '--org', 'second'])).toMatchObject({ code: 0 })
    expect(await run(['orgs', 'delete', 'third'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Third would be deleted'),
    })
    expect(await json('orgs', 'delete', 'third', '--yes')).toEqual({ id, deleted: true })
  })
})

describe('tokens and sessions', () => {
  test('a token is created, used and revoked, and standard output holds it alone', async () => {
    const created = await run(['tokens', 'create', 'CI', '--scope', 'read', '--days', '7'])
    expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^shw_pat_\w+\n$/) })
    const ci = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: created.out.trim() })
    expect(await ci.json('whoami')).toMatchObject({ token: { scopes: ['read'] } })
    expect(await ci.run(['tokens', 'list'])).toMatchObject({ code: 4 })
    const listed = await run(['tokens', 'list'])
    expect(listed.out).toMatch(/^ {2}CI +read +all +\S.*ago +in 6 days +\d+$/m)
    expect(listed.out).not.toContain('shw_pat')
    expect(await run(['tokens', 'revoke', 'ci'])).toMatchObject({ code: 2, err: expect.stringContaining('last used') })
    expect(await run(['tokens', 'revoke', 'ci', '--yes'])).toMatchObject({ code: 0, out: 'Revoked the token CI\n' })
    expect(await ci.run(['whoami'])).toMatchObject({ code: 4 })
    ci.stop()
  })

  test('sessions are listed and ended', async () => {
    expect(await json('sessions', 'list')).toBeInstanceOf(Array)
    expect(await run(['sessions', 'end'])).toMatchObject({ code: 2, err: expect.stringContaining('or --all') })
    expect(await run(['sessions', 'end', 'none'])).toMatchObject({ code: 5 })
    expect(await run(['sessions', 'end', '--all'])).toMatchObject({ code: 2, err: expect.stringContaining('Confirm') })
    expect(await run(['sessions', 'end', '--all', '--yes'])).toMatchObject({ code: 0, out: 'Signed out everywhere\n' })
  })
})

describe('webhooks', () => {
  test('are added, tested, changed and removed', async () => {
    expect((await run(['webhooks', 'list', '-p', 'hello'])).out).toContain('shipway webhooks add URL -p Hello')
    const url = `http://127.0.0.1:${receiver.port}/hook`
    const added = await run(['webhooks', 'add', url, '-p', 'hello', '--event', 'deployment.failed'])
    expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^Webhook \d+ to http:\S+\n\nwhsec_\S+\n$/) })
    const [{ id }] = await json('webhooks', 'list', '-p', 'hello')
    await json('webhooks', 'test', url, '-p', 'hello')
    await until(async () => received.length === 1 || undefined, 'the test message arrives')
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ type: 'hook.test' })
    const deliveries = async () => json('webhooks', 'deliveries', String(id))
    const sent = await until(
      async () => (await deliveries()).find(({ status }: { status: string }) => status === 'succeeded'),
      'the delivery is recorded',
    )
    expect((await run(['webhooks', 'deliveries', String(id)])).out).toMatch(/hook\.test +succeeded +1 +200 thanks$/m)
    await json('webhooks', 'redeliver', String(id), String(sent.id))
    await until(async () => received.length === 2 || undefined, 'the message arrives again')
    expect(await run(['webhooks', 'rotate', String(id)])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^whsec_\S+\n$/),
    })
    await json('webhooks', 'edit', String(id), '--enabled', 'off', '--event', 'environment.created')
    expect((await run(['webhooks', 'list', '-p', 'hello'])).out).toMatch(/environment\.created +off$/m)
    expect(await run(['webhooks', 'remove', String(id)])).toMatchObject({ code: 2, err: expect.stringContaining(url) })
    expect(await run(['webhooks', 'remove', url, '-p', 'hello', '--yes'])).toMatchObject({ code: 0 })
    expect(await run(['webhooks', 'test', String(id), '-p', 'hello'])).toMatchObject({ code: 5 })
  })
})

describe('variables, certificates, alerts and the platform', () => {
  test('variables of a project are set, listed and unset, and no value is printed', async () => {
    const set = await run(['vars', 'set', 'API_URL=-', '-p', 'hello', '--shared'], { input: 'a-value-of-a-variable' })
    expect(set).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^Set API_URL on Hello\. Its environments/),
    })
    const listed = await run(['vars', 'list', '-p', 'hello', '--shared'])
    expect(listed.out).toMatch(/^ {2}API_URL +\d+ seconds? ago +User/m)
    expect(await run(['vars', 'unset', 'API_URL', '-p', 'hello', '--shared'])).toMatchObject({ code: 0 })
    expect(await json('vars', 'list', '-p', 'hello', '--shared')).toMatchObject({ variables: [] })
    for (const { out, err } of [set, listed]) expect(out + err).not.toContain('a-value')
  })

  test('a certificate is supplied, listed and removed by its names', async () => {
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
    const names = [
      '-subj',
      '/CN=hello.localhost',
      '-addext',
      'subjectAltName=DNS:*.hello.localhost,DNS:hello.localhost',
    ]
    execFileSync('openssl', [...words, ...names, '-keyout', 'key.pem', '-out', 'chain.pem'], {
      cwd: program.home,
      stdio: 'pipe',
    })
    expect(await run(['certificates', 'list', '-p', 'hello'])).toMatchObject({ code: 0, out: 'No certificates yet\n' })
    expect(await run(['certificates', 'remove', '-p', 'hello', '--yes'])).toMatchObject({ code: 5 })
    const files = ['--certificate', 'chain.pem', '--key', 'key.pem']
    expect(
      await run(['certificates', 'supply', '-p', 'hello', '--certificate', 'none', '--key', 'key.pem']),
    ).toMatchObject({ code: 2 })
    expect(await run(['certificates', 'supply', '-p', 'hello', ...files])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Certificate for .*\*\.hello\.localhost.*; expires in 29 days\n$/),
    })
    expect((await run(['certificates', 'list', '-p', 'hello'])).out).toMatch(/hello\.localhost.* supplied +in 29 days/)
    expect(await run(['certificates', 'remove', '-p', 'hello'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('*.hello'),
    })
    expect(await run(['certificates', 'remove', '-p', 'hello', '--yes'])).toMatchObject({ code: 0 })
  })

  test('a rule is changed and the others stay', async () => {
    const before = await json('rules', 'list')
    expect(await run(['rules', 'edit', 'disk_hihg', '--threshold', '90'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean disk_high?'),
    })
    await json('rules', 'edit', 'restarts', '--enabled', 'off')
    await json('rules', 'edit', 'disk_high', '--threshold', '90')
    const changed: Readonly<Record<string, object>> = { restarts: { enabled: false }, disk_high: { threshold: 90 } }
    const after = before.map((rule: { rule: string }) => ({ ...rule, ...changed[rule.rule] }))
    expect(await json('rules', 'list')).toEqual(after)
    expect((await run(['rules', 'list'])).out).toMatch(/^ {2}disk_high +warning +90 percent +on$/m)
  })

  test('a channel is changed, and its address is never printed', async () => {
    const url = `http://127.0.0.1:${receiver.port}/a-secret-path`
    await run(['channels', 'add', 'webhook', '--name', 'on call', '--address', '-'], { input: url })
    expect(await run(['channels', 'edit', 'on call', '--address', url])).toMatchObject({ code: 2 })
    expect(
      await run(['channels', 'edit', 'on call', '--address', '-', '--enabled', 'off'], { input: `${url}-2` }),
    ).toEqual({
      code: 0,
      out: 'Changed url, enabled of on call\n',
      err: '',
    })
    expect(await json('channels', 'list')).toMatchObject([{ name: 'on call', enabled: false }])
    expect(await run(['connections', 'edit', 'none', '--name', 'x'])).toMatchObject({ code: 5 })
  })

  test('a platform admin sees the installation, its users and organizations, and deletes an account', async () => {
    expect((await run(['platform', 'show'])).out).toMatch(/^ {2}Version +v1\./)
    expect((await run(['platform', 'orgs'])).out).toMatch(/^ {2}Organization \d+ +User \d+ +1 +1 +1 +/m)
    // She left the organization and kept her account.
    expect((await run(['platform', 'users'])).out).toMatch(/^ {2}Ada +ada@example\.com +/m)
    expect(await run(['platform', 'delete-user', 'ada@example.com'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Ada <ada@example.com>'),
    })
    expect(await run(['platform', 'delete-user', 'ada@example.com', '--yes'])).toMatchObject({ code: 0 })
    expect(await run(['platform', 'delete-user', 'ada@example.com', '--yes'])).toMatchObject({ code: 5 })
  })
})

describe('the audit log', () => {
  test('is listed, filtered and exported', async () => {
    expect((await run(['audit'])).out).toMatch(/^ {2}\S.* User \d+ +project\.created +project Hello +/m)
    const created = await json(
      'audit',
      '--action',
      'project.created',
      '--target',
      'project',
      '--user',
      journey.platform.filled.email,
    )
    expect(created).toMatchObject([{ action: 'project.created' }])
    expect(await json('audit', '--until', '3d')).toEqual([])
    expect(await run(['audit', '-o', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('needs --export') })
    expect((await run(['audit', '--export', 'jsonl'])).out).toMatch(/^\{.*"action":"project\.created"/m)
    const saved = await run(['audit', '--export', 'csv', '-o', 'audit.csv'])
    expect(saved.code, saved.err).toBe(0)
    expect(readFileSync(join(program.home, 'audit.csv'), 'utf8')).toContain('project.created')
  })
})

test('version names the client and the platform, also without a sign-in', async () => {
  const { version } = await journey.client.getHealth()
  const guest = openInProcess({ SHIPWAY_URL: journey.platform.url })
  expect(await guest.json('version')).toMatchObject({ platform: version.slice(1), url: journey.platform.url })
  expect((await guest.run(['version'])).out).toMatch(/^ {2}Client {5}\S+\n {2}Platform {3}\S+ at 127\.0\.0\.1:\d+\n$/)
  guest.stop()
  const alone = openInProcess({})
  expect(await alone.run(['version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^ {2}Client {3}\S+\n$/) })
  expect(await alone.run(['version', '--url', 'http://127.0.0.1:9'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('127.0.0.1:9 does not answer'),
  })
  alone.stop()
})
