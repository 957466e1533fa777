// The APIs of connected git hosts, against hosts of our own that behave as each one's documentation says.
import { createServer } from 'node:http'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  apiOf,
  type ConnectedHostServer,
  startConnectedHost,
  type TokenType,
} from '../../test/connections/connected-host.ts'
import { listenOn } from '../../test/loopback.ts'
import { Secret } from '../secrets/secret.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import { createConnectedHosts } from './connected-hosts.ts'
import { HostRefused } from './git-host/call-host.ts'

const TYPES: readonly TokenType[] = ['gitlab', 'gitea', 'forgejo', 'bitbucket', 'bitbucket_server']
const NAME = 'acme/shop'
const URL_OF_HOOK = 'https://ship.example.com/api/webhooks/abc'

describe.each(TYPES)('%s', (type) => {
  let server: ConnectedHostServer
  beforeEach(async () => {
    server = await startConnectedHost(type)
  })
  afterEach(() => server.stop())

  const hosts = () =>
    createConnectedHosts({
      allowedNetworks: ['127.0.0.1'],
      ...(type === 'bitbucket' && { base: apiOf(server, type) }),
    })
  const host = (token = server.token) => ({
    connection: { type, baseUrl: type === 'bitbucket' ? 'https://bitbucket.org/acme' : server.base },
    token: new Secret(token),
  })
  const { publicKey } = generateSshKey('shipway@ship.example.com')
  const webhook = (more: object = {}) => ({
    url: URL_OF_HOOK,
    secret: new Secret('hook-secret'),
    hasCurrentSecret: true,
    ...more,
  })

  test('a token is proven, and another one is refused', async () => {
    const hasNoUser = type === 'bitbucket' || type === 'bitbucket_server'
    expect(await hosts().identify(host())).toBe(hasNoUser ? null : 'ada')
    await expect(hosts().identify(host('wrong'))).rejects.toMatchObject({ name: 'HostRefused', status: 401 })
  })

  test('repositories are listed page by page up to a limit, and a search finds the others', async () => {
    server.repositories.push(...Array.from({ length: 449 }, (_, at) => `acme/app-${at + 1}`))
    const all = await hosts().searchRepositories(host(), '')
    expect(all).toHaveLength(200)
    const found = await hosts().searchRepositories(host(), 'app-441')
    expect(found.map(({ fullName }) => fullName)).toEqual(['acme/app-441'])
    expect(found[0]).toMatchObject({ isPrivate: true, sshAddress: 'git@git.example.com:acme/app-441.git' })
  })

  test('a repository is found with its default branch, or not at all', async () => {
    expect(await hosts().findRepository(host(), NAME)).toMatchObject({ fullName: NAME, defaultBranch: 'trunk' })
    expect(await hosts().findRepository(host(), 'acme/other')).toBeUndefined()
  })

  test('a deploy key is added once, read-only, and another one replaces it', async () => {
    const id = await hosts().ensureDeployKey(host(), NAME, { publicKey, knownId: null })
    expect(await hosts().ensureDeployKey(host(), NAME, { publicKey, knownId: id })).toBe(id)
    expect(server.keys).toMatchObject([{ id: Number(id), isReadOnly: true }])
    const next = generateSshKey('shipway@ship.example.com').publicKey
    const nextId = await hosts().ensureDeployKey(host(), NAME, { publicKey: next, knownId: id })
    expect(server.keys.map((key) => String(key.id))).toEqual([nextId])
  })

  test('a deploy key that was deleted, or that may write, is added again', async () => {
    const id = await hosts().ensureDeployKey(host(), NAME, { publicKey, knownId: null })
    server.keys.splice(0)
    const again = await hosts().ensureDeployKey(host(), NAME, { publicKey, knownId: id })
    expect(server.keys.map((key) => String(key.id))).toEqual([again])
    if (type === 'bitbucket') return
    const [key] = server.keys
    if (key) server.keys.splice(0, 1, { ...key, isReadOnly: false })
    await hosts().ensureDeployKey(host(), NAME, { publicKey, knownId: again })
    expect(server.keys).toMatchObject([{ isReadOnly: true }])
  })

  test('a webhook is added once with its secret, and repaired when it is off, deleted, or has an earlier secret', async () => {
    const id = await hosts().ensureWebhook(host(), NAME, webhook({ hasCurrentSecret: false }))
    expect(await hosts().ensureWebhook(host(), NAME, webhook())).toBe(id)
    expect(server.hooks).toMatchObject([{ url: URL_OF_HOOK, secret: 'hook-secret', isActive: true }])
    for (const hook of server.hooks) hook.isActive = false
    await hosts().ensureWebhook(host(), NAME, webhook())
    expect(server.hooks).toMatchObject([{ isActive: true }])
    server.hooks.splice(0)
    await hosts().ensureWebhook(host(), NAME, webhook())
    await hosts().ensureWebhook(host(), NAME, webhook({ secret: new Secret('newer'), hasCurrentSecret: false }))
    expect(server.hooks).toMatchObject([{ url: URL_OF_HOOK, secret: 'newer', isActive: true }])
  })

  test('both are removed, also where they are gone already', async () => {
    const keyId = await hosts().ensureDeployKey(host(), NAME, { publicKey, knownId: null })
    const hookId = await hosts().ensureWebhook(host(), NAME, webhook())
    for (const _ of ['once', 'twice']) {
      await hosts().removeDeployKey(host(), NAME, keyId)
      await hosts().removeWebhook(host(), NAME, hookId)
    }
    expect([server.keys, server.hooks]).toEqual([[], []])
  })

  test('a rate limit of the host is reported with the pause that it asks for', async () => {
    server.refuse = { matches: /./, status: 429, headers: { 'retry-after': '120' } }
    const error = await hosts()
      .searchRepositories(host(), '')
      .catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(HostRefused)
    expect(error).toMatchObject({ status: 429, retryAfterMs: 120_000 })
    expect(String(error)).not.toContain(server.token)
  })

  test.each([301, 302, 307])('a redirect with %d is not followed', async (status) => {
    server.refuse = { matches: /./, status, headers: { location: `${server.base}/elsewhere` } }
    await expect(hosts().findRepository(host(), NAME)).rejects.toMatchObject({ status })
    expect(server.requests.filter((request) => request.includes('elsewhere'))).toEqual([])
  })

  test('the address is checked as for every other call', async () => {
    const closed = createConnectedHosts({ allowedNetworks: [], base: server.base })
    await expect(closed.identify(host())).rejects.toMatchObject({ code: 'address_not_allowed' })
    expect(server.requests).toEqual([])
  })
})

describe.each(TYPES)('%s that answers with anything', (type) => {
  test('a call fails or returns what can be shown, and never something else', async () => {
    let answer: unknown
    const { base, stop } = await startAnswering(() => answer)
    const hosts = createConnectedHosts({ allowedNetworks: ['127.0.0.1'], base })
    const host = { connection: { type, baseUrl: 'https://git.example.com' }, token: new Secret('token-canary') }
    const names = fc.oneof(fc.string(), fc.constantFrom('acme/shop', '../../x', 'a/../b', 'a/b\u202e', '-x/y', '<b>/x'))
    const record = fc.record({
      id: fc.anything(),
      path_with_namespace: names,
      full_name: names,
      slug: names,
      project: fc.record({ key: names }),
      private: fc.boolean(),
      is_private: fc.boolean(),
      web_url: fc.constantFrom('https://x.example/y', 'javascript:alert(1)', ''),
      html_url: fc.constantFrom('https://x.example/y', 'javascript:alert(1)', ''),
      links: fc.constant({ html: { href: 'javascript:alert(1)' }, clone: [], self: [{ href: 'https://x.example' }] }),
      default_branch: fc.oneof(fc.string(), fc.constant('-x')),
    })
    const answers = fc.oneof(
      fc.json().map((text) => JSON.parse(text)),
      fc.array(record),
      fc.array(record).map((data) => ({ data, ok: true, values: data, isLastPage: true, id: 1, login: 'ada' })),
    )
    const property = fc.asyncProperty(answers, async (given) => {
      answer = given
      const found = await hosts.searchRepositories(host, '').catch((error: unknown) => {
        expect(String(error)).not.toContain('token-canary')
        return []
      })
      for (const { fullName, url, defaultBranch } of found) {
        expect(fullName).toMatch(/^[A-Za-z0-9_~][^<>\s]*\/[^<>\s]+$/)
        expect(fullName.split('/')).not.toContain('..')
        expect(url).toMatch(/^https?:/)
        expect(defaultBranch ?? '').not.toMatch(/^-/)
      }
    })
    await fc.assert(property, { numRuns: 60 }).finally(stop)
  })
})

async function startAnswering(answer: () => unknown): Promise<{ base: string; stop: () => Promise<void> }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer()) ?? '')
  })
  const { port, close } = await listenOn(server)
  return { base: `http://127.0.0.1:${port}`, stop: close }
}
