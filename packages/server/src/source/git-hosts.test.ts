// The APIs of git hosts: what is asked of each, and where the platform does not go.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GitHostApi, startGitHostApi } from '../../test/git-host-api.ts'
import { Secret } from '../secrets/secret.ts'
import { bitbucket } from './git-host/bitbucket.ts'
import { callHost, HostRefused } from './git-host/call-host.ts'
import { gitea } from './git-host/gitea.ts'
import { github } from './git-host/github.ts'
import { gitlab } from './git-host/gitlab.ts'
import { createGitHosts, type HostRepository, hostOf } from './git-hosts.ts'

let api: GitHostApi

beforeAll(async () => {
  api = await startGitHostApi()
})
beforeEach(() => {
  api.requests.length = 0
  api.answers.clear()
})
afterAll(() => api.stop())

const hosts = () => createGitHosts({ allowedNetworks: ['127.0.0.0/8'], base: api.base })
const repositoryOf = (host: HostRepository['host']): HostRepository => ({
  host,
  address: 'git@git.example.com:group/sub/app.git',
  token: new Secret('token'),
})
const status = {
  sha: 'a'.repeat(40),
  state: 'succeeded',
  context: 'shipway/pr-7',
  description: 'deployed',
  url: 'https://ship.example.com/x',
} as const

test.each([
  ['github', '/repos/group/sub/app/statuses/', { state: 'success' }, { authorization: 'Bearer token' }],
  ['gitea', '/repos/group/sub/app/statuses/', { state: 'success' }, { authorization: 'token token' }],
  ['gitlab', '/projects/group%2Fsub%2Fapp/statuses/', { state: 'success' }, { 'private-token': 'token' }],
  ['bitbucket', '/repositories/group/sub/app/commit/', { state: 'SUCCESSFUL' }, { authorization: 'Bearer token' }],
] as const)('%s is told the status of a commit', async (host, path, body, headers) => {
  await hosts().setCommitStatus(repositoryOf(host), status)
  expect(api.requests).toMatchObject([{ method: 'POST', body, headers }])
  expect(api.requests[0]?.path.startsWith(path)).toBe(true)
})

test.each(['github', 'gitea', 'gitlab', 'bitbucket'] as const)(
  '%s gets one comment, which is changed',
  async (host) => {
    const id = await hosts().writeComment(repositoryOf(host), { number: 7, id: '5', marker: 'm', text: 'first' })
    expect(id).toBe('5')
    expect(api.requests.map(({ method }) => method)).toEqual([host === 'github' || host === 'gitea' ? 'PATCH' : 'PUT'])
    expect(JSON.stringify(api.requests[0]?.body)).toContain('first')
  },
)

test('only GitHub keeps deployments', async () => {
  const deployment = { ...status, id: null, environment: 'pr-7', environmentUrl: 'https://x', isTransient: true }
  expect(await hosts().writeDeployment(repositoryOf('gitlab'), deployment)).toBeNull()
  expect(await hosts().writeDeployment(repositoryOf('github'), deployment)).toMatch(/^[0-9]+$/)
  expect(api.requests.map(({ method }) => method)).toEqual(['POST', 'POST'])
})

const openOf = {
  github: {
    number: 7,
    title: 'T',
    html_url: 'https://x/7',
    user: { login: 'ada' },
    head: { ref: 'feature', sha: 'a'.repeat(40), repo: { id: 1, full_name: 'acme/app' } },
    base: { ref: 'main', sha: 'b'.repeat(40), repo: { id: 1 } },
    draft: false,
    updated_at: '2026-01-02T03:04:05Z',
  },
  gitlab: {
    iid: 7,
    title: 'T',
    web_url: 'https://x/7',
    author: { username: 'ada' },
    source_branch: 'feature',
    target_branch: 'main',
    source_project_id: 3,
    target_project_id: 3,
    sha: 'a'.repeat(40),
    draft: false,
    updated_at: '2026-01-02T03:04:05.000Z',
  },
}

test.each([
  ['github', [openOf.github], false],
  ['github', [{ ...openOf.github, head: { ...openOf.github.head, repo: null } }], true],
  ['gitea', [openOf.github], false],
  ['gitlab', [openOf.gitlab], false],
  ['gitlab', [{ ...openOf.gitlab, source_project_id: null }], true],
  [
    'bitbucket',
    {
      values: [
        {
          id: 7,
          title: 'T',
          links: { html: { href: 'https://x/7' } },
          author: { nickname: 'ada' },
          source: { branch: { name: 'feature' }, commit: { hash: 'a'.repeat(40) }, repository: { uuid: '{1}' } },
          destination: { branch: { name: 'main' }, commit: { hash: 'b' }, repository: { uuid: '{1}' } },
          updated_on: '2026-01-02T03:04:05.000000+00:00',
        },
      ],
    },
    false,
  ],
] as const)('the open pull requests of %s are read', async (host, answer, isFork) => {
  api.answers.set('GET /', answer)
  expect(await hosts().listOpenPullRequests(repositoryOf(host))).toMatchObject([
    {
      number: 7,
      title: 'T',
      url: 'https://x/7',
      author: 'ada',
      branch: 'feature',
      headSha: 'a'.repeat(40),
      isFork,
      targetBranch: 'main',
      updatedAt: Date.parse('2026-01-02T03:04:05Z'),
    },
  ])
})

test('every page is read', async () => {
  api.answers.set('GET /repos/group/sub/app/pulls?state=open&per_page=100&page=1', Array(100).fill(openOf.github))
  api.answers.set('GET /repos/group/sub/app/pulls?state=open&per_page=100&page=2', [openOf.github])
  expect((await hosts().listOpenPullRequests(repositoryOf('github'))).length).toBe(101)
})

test('the API is where each host has it', () => {
  expect(github.baseOf('github.com')).toBe('https://api.github.com')
  expect(github.baseOf('git.example.com')).toBe('https://git.example.com/api/v3')
  expect(gitlab.baseOf('gitlab.com')).toBe('https://gitlab.com/api/v4')
  expect(gitea.baseOf('codeberg.org')).toBe('https://codeberg.org/api/v1')
  expect(bitbucket.baseOf('bitbucket.org')).toBe('https://api.bitbucket.org/2.0')
  expect(bitbucket.baseOf('altssh.bitbucket.org')).toBe('https://api.bitbucket.org/2.0')
})

test('the token of somebody’s own git host goes there and nowhere else', () => {
  for (const { baseOf } of [github, gitlab, gitea, bitbucket]) {
    for (const host of ['git.example.com', 'bitbucket.org.evil.example', 'github.com.evil.example']) {
      expect(new URL(baseOf(host)).hostname).toBe(host)
    }
  }
})

test('a git host that is known by its address alone is asked there', async () => {
  const address = 'ssh://git@[fd00::1]:22/app.git'
  for (const host of ['github', 'gitlab', 'gitea', 'bitbucket'] as const) {
    const asking = createGitHosts({ allowedNetworks: [] }).setCommitStatus({ ...repositoryOf(host), address }, status)
    await expect(asking).rejects.toThrow(/^fd00::1 leads to fd00::1, which is in a private network/)
  }
})

const call = { method: 'GET', path: '/x' } as const

test.each([
  ['git@git.example.com:acme/app.git', 'git.example.com'],
  ['ssh://git@git.example.com:2222/acme/app.git', 'git.example.com'],
  ['https://git.example.com/acme/app.git', 'git.example.com'],
  ['https://git.example.com:8443/acme/app.git', 'git.example.com:8443'],
  ['https://[2001:db8::1]:8443/acme/app.git', '[2001:db8::1]:8443'],
])('the API of %s is at %s', (address, host) => {
  expect(hostOf({ address })).toBe(host)
})

test.each(['http://127.0.0.1', 'http://[::1]', 'http://10.0.0.5', 'http://169.254.169.254', 'http://localhost'])(
  'the platform does not go to %s unless it is allowed',
  async (base) => {
    const port = new URL(api.base).port
    const asked = callHost(`${base}:${port}`, call, { headers: {}, allowedNetworks: [] })
    await expect(asked).rejects.toMatchObject({ code: 'address_not_allowed' })
    expect(api.requests).toEqual([])
  },
)

test('nobody is followed elsewhere', async () => {
  api.answers.set('GET /x', 302)
  const asked = callHost(api.base, call, { headers: {}, allowedNetworks: ['127.0.0.0/8'] })
  await expect(asked).rejects.toBeInstanceOf(HostRefused)
  expect(api.requests.length).toBe(1)
})
