// The APIs of git hosts: the requests to each, and the hosts that the platform refuses to call.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GitHostApi, startGitHostApi } from '../../test/git-host-api.ts'
import { Secret } from '../secrets/secret.ts'
import { callHost, HostRefused } from './git-host/call-host.ts'
import { baseOf, createGitHosts, type HostRepository, hostOf } from './git-hosts.ts'

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
  address: `git@${host === 'bitbucket' ? 'bitbucket.org' : 'git.example.com'}:group/sub/app.git`,
  token: new Secret('token'),
})
const dataCenter: HostRepository = {
  ...repositoryOf('bitbucket'),
  address: 'ssh://git@git.example.com:7999/acme/app.git',
}
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
  const { numbers, facts } = await hosts().listOpenPullRequests(repositoryOf(host))
  expect(numbers).toEqual(new Set([7]))
  expect(facts).toMatchObject([
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
  api.answers.set(
    'GET /repos/group/sub/app/pulls?state=open&per_page=100&page=1',
    Array.from({ length: 100 }, (_, index) => ({ ...openOf.github, number: index + 1 })),
  )
  api.answers.set('GET /repos/group/sub/app/pulls?state=open&per_page=100&page=2', [{ ...openOf.github, number: 101 }])
  expect((await hosts().listOpenPullRequests(repositoryOf('github'))).facts.length).toBe(101)
})

test('a Gitea with shorter pages than requested is read to its end', async () => {
  const path = 'GET /repos/group/sub/app/pulls?state=open&limit=50&page='
  api.answers.set(`${path}1`, [openOf.github])
  api.answers.set(`${path}2`, [{ ...openOf.github, number: 8 }])
  expect((await hosts().listOpenPullRequests(repositoryOf('gitea'))).numbers).toEqual(new Set([7, 8]))
})

test('an unusable open pull request counts as open, and one without a number fails the list', async () => {
  api.answers.set('GET /', [openOf.github, { ...openOf.github, number: 8, head: null, updated_at: 5 }])
  const { numbers, facts } = await hosts().listOpenPullRequests(repositoryOf('github'))
  expect([numbers, facts.length]).toEqual([new Set([7, 8]), 1])
  api.answers.set('GET /', [{ ...openOf.github, number: null }])
  await expect(hosts().listOpenPullRequests(repositoryOf('github'))).rejects.toThrow('without a number')
})

const openOfDataCenter = {
  id: 7,
  title: 'T',
  state: 'OPEN',
  updatedDate: '2026-01-02T03:04:05.000Z',
  fromRef: { displayId: 'feature', latestCommit: 'a'.repeat(40), repository: { id: 3, slug: 'app' } },
  toRef: { displayId: 'main', latestCommit: 'b'.repeat(40), repository: { id: 3, slug: 'app' } },
  author: { user: { name: 'ada' } },
  links: { self: [{ href: 'https://x/7' }] },
}

test('Bitbucket Data Center lists open pull requests by where the next page begins', async () => {
  const path = 'GET /projects/acme/repos/app/pull-requests?state=OPEN&limit=100&start='
  const older = { ...openOfDataCenter, id: 8, updatedDate: 1767323045000 }
  api.answers.set(`${path}0`, { values: [openOfDataCenter], isLastPage: false, nextPageStart: 25, limit: 25 })
  api.answers.set(`${path}25`, { values: [older], isLastPage: true, nextPageStart: null })
  const { numbers, facts } = await hosts().listOpenPullRequests(dataCenter)
  expect(numbers).toEqual(new Set([7, 8]))
  const updatedAt = Date.parse('2026-01-02T03:04:05Z')
  expect(facts).toMatchObject([
    {
      number: 7,
      branch: 'feature',
      headSha: 'a'.repeat(40),
      isFork: false,
      url: 'https://x/7',
      author: 'ada',
      updatedAt,
    },
    { number: 8, updatedAt },
  ])
})

test.each([{ values: [openOfDataCenter] }, { values: [openOfDataCenter], isLastPage: false }, [openOfDataCenter]])(
  'a list of Data Center that does not say whether it is whole is none: %j',
  async (answer) => {
    api.answers.set('GET /', answer)
    await expect(hosts().listOpenPullRequests(dataCenter)).rejects.toThrow()
  },
)

test('Bitbucket Data Center receives builds, and a comment is updated by its version', async () => {
  api.answers.set('POST /projects/acme/repos/app/commits', 204)
  await hosts().setCommitStatus(dataCenter, { ...status, state: 'canceled' })
  api.answers.set('GET /projects/acme/repos/app/pull-requests/7/activities', {
    values: [{ action: 'OPENED' }, { action: 'COMMENTED', comment: { id: 31, version: 2, text: 'm before' } }],
  })
  api.answers.set('GET /projects/acme/repos/app/pull-requests/7/comments/31', { id: 31, version: 2, text: 'm before' })
  expect(await hosts().writeComment(dataCenter, { number: 7, id: null, marker: 'm', text: 'm now' })).toBe('31')
  expect(api.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
    `POST /projects/acme/repos/app/commits/${status.sha}/builds`,
    'GET /projects/acme/repos/app/pull-requests/7/activities',
    'GET /projects/acme/repos/app/pull-requests/7/comments/31',
    'PUT /projects/acme/repos/app/pull-requests/7/comments/31',
  ])
  const { url, description } = status
  const name = 'shipway/pr-7'
  expect(api.requests[0]?.body).toEqual({ key: name, name, state: 'CANCELLED', description, url })
  expect(api.requests.at(-1)?.body).toEqual({ text: 'm now', version: 2 })
})

test.each([
  ['github', 'git@github.com:a/b.git', 'https://api.github.com'],
  ['github', 'git@git.example.com:a/b.git', 'https://git.example.com/api/v3'],
  ['gitlab', 'git@gitlab.com:a/b.git', 'https://gitlab.com/api/v4'],
  ['gitea', 'git@codeberg.org:a/b.git', 'https://codeberg.org/api/v1'],
  ['bitbucket', 'git@bitbucket.org:a/b.git', 'https://api.bitbucket.org/2.0'],
  ['bitbucket', 'git@altssh.bitbucket.org:a/b.git', 'https://api.bitbucket.org/2.0'],
  ['bitbucket', 'ssh://git@git.example.com:7999/a/b.git', 'https://git.example.com/rest/api/latest'],
  ['bitbucket', 'https://git.example.com/scm/a/b.git', 'https://git.example.com/rest/api/latest'],
  [
    'bitbucket',
    'https://git.example.com:8443/bitbucket/scm/~ada/b.git',
    'https://git.example.com:8443/bitbucket/rest/api/latest',
  ],
] as const)('the API of %s for %s is at %s', (host, address, base) => {
  expect(baseOf({ host, address })).toBe(base)
})

test('the token of a self-hosted git host is sent only there', () => {
  for (const host of ['github', 'gitlab', 'gitea', 'bitbucket'] as const) {
    for (const name of ['git.example.com', 'bitbucket.org.evil.example', 'github.com.evil.example']) {
      expect(new URL(baseOf({ host, address: `git@${name}:acme/app.git` })).hostname).toBe(name)
    }
  }
})

test('a git host known only by its address is called there', async () => {
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

test('redirects are not followed', async () => {
  api.answers.set('GET /x', 302)
  const asked = callHost(api.base, call, { headers: {}, allowedNetworks: ['127.0.0.0/8'] })
  await expect(asked).rejects.toBeInstanceOf(HostRefused)
  expect(api.requests.length).toBe(1)
})
