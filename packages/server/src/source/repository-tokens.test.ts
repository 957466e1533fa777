// Reading a private repository over https with a token of the project's connection, from a real git host of the tests.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { faultOf, inMirror } from '../../test/fetching.ts'
import { type GitHub, startGitHub } from '../../test/github/github.ts'
import type { GitHubApp as AppAtGitHub, Installation } from '../../test/github/records.ts'
import { listProcesses } from '../../test/process-list.ts'
import { Secret } from '../secrets/secret.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import type { Repository } from './connection.ts'
import type { InstalledApp } from './github-app/github-app.ts'
import { createGitHubApps, type GitHubApps } from './github-app/github-apps.ts'
import { repositoryTokensOf } from './github-app/repository-tokens-of.ts'
import { createSource, type Source } from './source.ts'

const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
const key = generateSshKey('project 1')
let github: GitHub
let atGitHub: AppAtGitHub
let installation: Installation
let apps: GitHubApps
let source: Source
let app: InstalledApp
let projectId = 0

beforeAll(async () => {
  github = await startGitHub()
})
afterAll(async () => {
  await github.stop()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  projectId += 1
  atGitHub = github.addApp({
    manifest: { url: 'https://ship.example.com', default_permissions: { contents: 'read', checks: 'write' } },
    owner: `acme-${projectId}`,
  })
  installation = github.addInstallation(atGitHub)
  const authorities = readFileSync(github.authority, 'utf8')
  apps = createGitHubApps({ allowedNetworks: ['127.0.0.0/8'], authorities, clock: Date.now })
  source = createSource({
    folder: join(folder, `${projectId}`),
    allowedNetworks: ['127.0.0.0/8'],
    authoritiesFile: github.authority,
  })
  app = {
    connectionId: projectId,
    baseUrl: github.base,
    appId: atGitHub.id,
    installationId: installation.id,
    openKey: () => new Secret(atGitHub.pem),
  }
})
afterEach(() => {
  github.before = undefined
})

const build = () => {
  const { origin, owner } = github.addRepository(atGitHub.owner, 'shop')
  const sha = origin.commit({ '.service.yml': 'services: {}' })
  const address = `${github.base}/${owner}/shop.git`
  const tokens = repositoryTokensOf(apps, app)
  const repository: Repository = { projectId, address, ...key, hostKey: null, tokens }
  return { sha, repository, mirror: join(folder, `${projectId}`, `${projectId}.git`) }
}
const tokensAtGitHub = (): string[] => [...github.records.tokens.keys()]

describe('a private repository of an installed App', () => {
  test('is fetched with a token, which is used again for the next fetch', async () => {
    const before = tokensAtGitHub().length
    const { repository, sha } = build()
    expect((await source.fetchCommit(repository, { branch: 'main' })).sha).toBe(sha)
    expect(await source.resolveBranch(repository, 'main')).toBe(sha)
    expect(tokensAtGitHub().length - before).toBe(1)
  })

  test('is fetched with a token that may do nothing else, also where the platform has one that may', async () => {
    const { repository } = build()
    const general = await apps.findToken(app)
    await source.fetchCommit(repository, { branch: 'main' })
    const [known, used] = [...github.records.tokens.values()].slice(-2)
    expect(known?.token).toBe(general.reveal())
    expect(known?.permissions).toMatchObject({ checks: 'write' })
    expect(used?.permissions).toEqual({ contents: 'read' })
    expect(await apps.findToken(app)).toBe(general)
  })

  test('a token that is revoked in the middle of a fetch is replaced', async () => {
    const { repository, sha } = build()
    let revoked = 0
    github.before = ({ path }) => {
      if (!path.endsWith('/git-upload-pack') || revoked > 0) return undefined
      revoked += 1
      github.revokeTokens()
      return undefined
    }
    expect((await source.fetchCommit(repository, { branch: 'main' })).sha).toBe(sha)
    expect(revoked).toBe(1)
  })

  test('the token stands in no process list, mirror, folder or error', async () => {
    const { repository, mirror } = build()
    const listed: string[] = []
    const folders: string[] = []
    github.before = ({ path }) => {
      if (path.endsWith('/info/refs')) {
        listed.push(...listProcesses())
        folders.push(...readdirSync(join(folder, `${projectId}`, 'connections')))
      }
      return undefined
    }
    await source.fetchCommit(repository, { branch: 'main' })
    const { message, cause } = await faultOf(source.fetchCommit(repository, { branch: 'missing' }))
    const [token = 'none'] = tokensAtGitHub().slice(-1)
    expect(listed.join('\n')).toContain('git-remote-https')
    expect(folders.length).toBeGreaterThan(0)
    expect(readdirSync(join(folder, `${projectId}`, 'connections'))).toEqual([])
    for (const text of [listed.join('\n'), readFileSync(join(mirror, 'config'), 'utf8'), message, String(cause)])
      expect(text).not.toContain(token)
    expect(inMirror(mirror, 'config', '--list')).not.toMatch(/x-access-token|ghs_/)
  })

  test('a repository that the App does not have is named, with what to do', async () => {
    const { repository } = build()
    installation.selection = 'selected'
    const fault = await faultOf(source.fetchCommit(repository, { branch: 'main' }))
    expect([fault.code, fault.message]).toEqual([
      'repository_not_found',
      expect.stringContaining('Add the repository to the App at the git host'),
    ])
  })

  test('another host gets no token, and is not even asked', async () => {
    const { repository } = build()
    const address = repository.address.replace('127.0.0.1', '127.0.0.2')
    const requests = github.requests.length
    const fault = await faultOf(source.fetchCommit({ ...repository, address }, { branch: 'main' }))
    expect([fault.code, github.requests.length]).toEqual(['access_refused', requests])
  })
})

describe('an App without access', () => {
  test('that is suspended says so, and works again afterwards', async () => {
    const { repository, sha } = build()
    installation.isSuspended = true
    const fault = await faultOf(source.fetchCommit(repository, { branch: 'main' }))
    expect([fault.code, fault.message]).toEqual(['access_refused', expect.stringContaining('The App is suspended')])
    installation.isSuspended = false
    expect((await source.fetchCommit(repository, { branch: 'main' })).sha).toBe(sha)
  })

  test('whose key was replaced says what to do, and works with the new one', async () => {
    const { repository, sha } = build()
    const old = atGitHub.pem
    const renewed = github.rotateKey(atGitHub)
    let pem = old
    app = { ...app, openKey: () => new Secret(pem) }
    const rebuilt = { ...repository, tokens: repositoryTokensOf(apps, app) }
    const fault = await faultOf(source.fetchCommit(rebuilt, { branch: 'main' }))
    expect(fault.message).toContain('GitHub refuses the key of the App')
    pem = renewed
    expect((await source.fetchCommit(rebuilt, { branch: 'main' })).sha).toBe(sha)
  })

  test('that was uninstalled says so', async () => {
    const { repository } = build()
    installation.isDeleted = true
    const fault = await faultOf(source.fetchCommit(repository, { branch: 'main' }))
    expect(fault.message).toContain('The App is not installed at GitHub any more')
  })
})
