// Calls to GitHub's API of Apps, at a GitHub of the tests.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { json } from '../../../test/github/answer.ts'
import { type GitHub, startGitHub } from '../../../test/github/github.ts'
import type { GitHubApp as AppAtGitHub, Installation } from '../../../test/github/records.ts'
import { Secret } from '../../secrets/secret.ts'
import { createConnectedHosts } from '../connected-hosts.ts'
import type { InstalledApp } from './github-app.ts'
import { createGitHubApps, type GitHubApps } from './github-apps.ts'

let github: GitHub
let atGitHub: AppAtGitHub
let installation: Installation
let apps: GitHubApps
let app: InstalledApp
let now = Date.now()

const MANIFEST = {
  url: 'https://ship.example.com',
  hook_attributes: { url: 'https://ship.example.com/hook' },
  default_permissions: { contents: 'read' },
} as const

beforeAll(async () => {
  github = await startGitHub({ clock: () => now })
})
afterAll(() => github.stop())
beforeEach(() => {
  atGitHub = github.addApp({ manifest: MANIFEST, owner: `acme-${github.records.nextId()}` })
  installation = github.addInstallation(atGitHub)
  const authorities = readFileSync(github.authority, 'utf8')
  apps = createGitHubApps({ allowedNetworks: ['127.0.0.0/8'], authorities, clock: () => now })
  const openKey = () => new Secret(atGitHub.pem)
  app = { connectionId: 1, baseUrl: github.base, appId: atGitHub.id, installationId: installation.id, openKey }
})
afterEach(() => {
  github.before = undefined
})

const asked = (path: string): number => github.requests.filter((each) => each.includes(path)).length

describe('a manifest code', () => {
  test('gives the App with its secrets, once', async () => {
    const code = github.addCode(atGitHub)
    const created = await apps.convert(github.base, code)
    expect([created.appId, created.privateKey.reveal()]).toEqual([atGitHub.id, atGitHub.pem])
    expect(JSON.stringify(created)).not.toContain('BEGIN')
    await expect(apps.convert(github.base, code)).rejects.toMatchObject({ code: 'code_refused' })
  })

  test('is refused after an hour', async () => {
    const code = github.addCode(atGitHub)
    now += 3_600_001
    await expect(apps.convert(github.base, code)).rejects.toMatchObject({ code: 'code_refused' })
  })
})

describe('an installation', () => {
  test('of this App is found with its account', async () => {
    const found = await apps.findInstallation(app, installation.id)
    expect(found).toEqual({ installationId: installation.id, account: atGitHub.owner, isSuspended: false })
  })

  test('of another App is not found', async () => {
    const other = github.addInstallation(github.addApp({ manifest: MANIFEST, owner: 'else', name: 'else' }))
    await expect(apps.findInstallation(app, other.id)).rejects.toMatchObject({ code: 'not_installed' })
  })
})

test('all installations of a public App are read, page by page', async () => {
  for (let count = 1; count <= 130; count++) github.addInstallation(atGitHub, { account: `other-${count}` })
  const last = github.addInstallation(atGitHub, { account: 'last' })
  const found = await apps.listInstallations(app)
  expect([found.length, found.at(-1)?.installationId]).toEqual([132, last.id])
})

test('an App that was deleted is told apart from one that is not installed, and from one whose key is refused', async () => {
  expect(await apps.isLost(app)).toBe(false)
  github.rotateKey(atGitHub)
  const old = { ...app, openKey: () => new Secret(generateKeyPairSync('rsa', PEM).privateKey) }
  expect(await apps.isLost(old)).toBe(true)
  await expect(apps.verifyKey(old)).rejects.toMatchObject({ code: 'key_refused' })
  installation.isDeleted = true
  await expect(apps.findToken(app)).rejects.toMatchObject({ code: 'not_installed' })
  expect(await apps.isLost(app)).toBe(false)
  github.records.apps.delete(atGitHub.id)
  expect(await apps.isLost(app)).toBe(true)
  const calls = [
    () => apps.findInstallation(app, installation.id),
    () => apps.listInstallations(app),
    () => apps.findToken(app),
  ]
  for (const call of [...calls, () => apps.verifyKey(app)])
    await expect(call()).rejects.toMatchObject({ code: 'deleted' })
})

const PEM = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
} as const

describe('a token', () => {
  test('is shared by callers at the same time, and replaced shortly before its end', async () => {
    const path = `/installations/${installation.id}/access_tokens`
    const found = await Promise.all([apps.findToken(app), apps.findToken(app), apps.findToken(app)])
    expect([new Set(found).size, asked(path)]).toEqual([1, 1])
    now += 47 * 60_000
    expect(await apps.findToken(app)).toBe(found[0])
    now += 2 * 60_000
    const [one, two] = await Promise.all([apps.findToken(app), apps.findToken(app)])
    expect([one === two, one === found[0], asked(path)]).toEqual([true, false, 2])
  })

  test('a failed request is not kept', async () => {
    installation.isSuspended = true
    await expect(apps.findToken(app)).rejects.toMatchObject({ code: 'suspended' })
    installation.isSuspended = false
    expect((await apps.findToken(app)).reveal()).toMatch(/^ghs_/)
  })
})

test('after Retry-After GitHub is not called before that time', async () => {
  const limited = json(403, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '30' })
  github.before = ({ isApi }) => (isApi ? limited : undefined)
  const before = github.requests.length
  await expect(apps.findToken(app)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 30_000 })
  github.before = undefined
  await expect(apps.findToken(app)).rejects.toThrow('Try again in 30 seconds')
  expect(github.requests.length - before).toBe(1)
  now += 30_000
  expect((await apps.findToken(app)).reveal()).toMatch(/^ghs_/)
})

test.each([
  ['a secondary limit that only its text names', 'You have exceeded a secondary rate limit', 'rate_limited'],
  ['a 403 without a reason', 'Maximum number of login attempts exceeded', 'failed'],
])('%s is no suspension, and says nothing about the App', async (_, message, code) => {
  github.before = ({ isApi }) => (isApi ? json(403, { message }) : undefined)
  const calls = [
    () => apps.findToken(app),
    () => apps.listInstallations(app),
    () => apps.findInstallation(app, installation.id),
    () => apps.isLost(app),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code, isOfApp: false })
  github.before = ({ path }) => (path.endsWith('/access_tokens') ? json(403, { message: 'Blocked' }) : undefined)
  apps.forget(app.connectionId)
  await expect(apps.findToken(app)).rejects.toMatchObject({ code: 'failed', isOfApp: false })
})

test('3,000 repositories are listed in pages, and found by a part of their name', async () => {
  for (let index = 0; index < 3_000; index++)
    github.addRepository(atGitHub.owner, `service-${index}`, { hasContent: false })
  const before = github.requests.length
  expect((await apps.listRepositories(app, { most: 5_000 })).length).toBe(3_000)
  // One for the token; a full last page is followed by an empty one.
  expect(github.requests.length - before).toBe(32)
  const found = await apps.listRepositories(app, { search: 'SERVICE-2999', most: 200 })
  expect(found.map(({ fullName }) => fullName)).toEqual([`${atGitHub.owner}/service-2999`])
  // While a person types, they are read once a minute, and at once after GitHub said that they changed.
  const searched = github.requests.length
  expect((await apps.listRepositories(app, { search: 'service-12', most: 200 })).length).toBe(111)
  expect(github.requests.length - searched).toBe(0)
  now += 60_000
  await apps.listRepositories(app, { search: 'service-1', most: 200 })
  expect(github.requests.length - searched).toBe(31)
  apps.forget(app.connectionId)
  await apps.listRepositories(app, { search: 'service-1', most: 200 })
  expect(github.requests.length - searched).toBe(63)
})

test.each([
  ['a link that runs a script', { html_url: 'javascript:alert(1)' }],
  ['a name that leads elsewhere', { full_name: '../../app/installations' }],
  ['a name that a terminal obeys', { full_name: 'acme/\u001b]0;x\u0007shop' }],
  ['a name with a question', { full_name: 'acme/shop?x=' }],
])('a repository with %s is left out', async (_, fields) => {
  const good = {
    id: 5,
    full_name: 'acme/shop',
    private: true,
    html_url: 'https://git.example.com/x',
    default_branch: 'main',
  }
  github.before = ({ path }) => {
    if (path.startsWith('/installation/repositories'))
      return json(200, { repositories: [{ ...good, ...fields }, good] })
    return path.startsWith('/repos/') ? json(200, { ...good, ...fields }) : undefined
  }
  expect(await apps.listRepositories(app, { most: 10 })).toMatchObject([{ fullName: 'acme/shop' }])
  expect(await apps.findRepository(app, 'acme/shop')).toBeUndefined()
})

test('an answer that is not JSON is quoted in no error', async () => {
  github.before = ({ path }) =>
    path.endsWith('/access_tokens') ? { status: 201, body: '{"token": ghs_secret' } : undefined
  const fault = await apps.findToken(app).catch((error: unknown) => error)
  expect(inspect(fault)).toContain('not JSON')
  expect(inspect(fault)).not.toContain('ghs_')
})

test('a default branch that is none is left out', async () => {
  const fields = { id: 5, full_name: 'acme/shop', private: true, html_url: 'https://git.example.com/x' }
  github.before = ({ path }) =>
    path.startsWith('/repos/') ? json(200, { ...fields, default_branch: '--x' }) : undefined
  expect(await apps.findRepository(app, 'acme/shop')).toMatchObject({ defaultBranch: null })
})

test('a public repository that the App is not installed for is not one of its repositories', async () => {
  const own = github.addRepository(atGitHub.owner, 'open', { hasContent: false, isPrivate: false })
  const other = github.addRepository('strangers', `open-${own.id}`, { hasContent: false, isPrivate: false })
  expect(await apps.findRepository(app, `${atGitHub.owner}/open`)).toMatchObject({ id: `${own.id}` })
  expect(await apps.findRepository(app, `strangers/open-${own.id}`)).toBeUndefined()
  expect(await apps.findRepositoryById(app, `${other.id}`)).toBeUndefined()
  // Taken from the App, or transferred: everybody can still read it, but its events do not come any more.
  installation.selection = 'selected'
  expect(await apps.findRepositoryById(app, `${own.id}`)).toBeUndefined()
})

test('a refused repository says nothing about the App', async () => {
  github.addRepository(atGitHub.owner, 'shop', { hasContent: false })
  // GitHub answers so for a repository that it has blocked, and for a missing permission.
  github.before = ({ path }) =>
    path.startsWith('/repos/') ? json(403, { message: 'Repository access blocked' }) : undefined
  const found = apps.findRepository(app, `${atGitHub.owner}/shop`)
  await expect(found).rejects.toMatchObject({ code: 'repository_refused', isOfApp: false })
})

test('a repository is read at a GitHub with a private authority, and a revoked token is replaced', async () => {
  const authorities = readFileSync(github.authority, 'utf8')
  const hosts = createConnectedHosts({ allowedNetworks: ['127.0.0.0/8'], authorities })
  const token = await apps.findToken(app)
  github.revokeTokens()
  const renew = async (refused: Secret) => {
    await apps.refuseToken(app, refused)
    return apps.findToken(app)
  }
  const host = { connection: { type: 'github_app', baseUrl: github.base } as const, token, renew }
  // Another call than the first one is answered: there is no such repository.
  expect(await hosts.readRepository(host, { name: `${atGitHub.owner}/none`, branch: 'main' })).toBeUndefined()
})

test('a revoked token is replaced while repositories are listed', async () => {
  github.addRepository(atGitHub.owner, 'shop', { hasContent: false })
  await apps.findToken(app)
  github.revokeTokens()
  expect((await apps.listRepositories(app, { most: 10 })).length).toBe(1)
})
