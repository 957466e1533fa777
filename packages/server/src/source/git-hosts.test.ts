// The APIs of git hosts: the requests to each, and the hosts that the platform refuses to call.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GitHostApi, startGitHostApi } from '../../test/git-host-api.ts'
import type { CheckRun } from '../domain/repository/check-run.ts'
import { Secret } from '../secrets/secret.ts'
import { callHost, HostRefused } from './git-host/call-host.ts'
import { baseOf, type HostRepository, hostOf } from './git-host/host-repository.ts'
import { createGitHosts } from './git-hosts.ts'

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
] as const)('%s gets the status of a commit', async (host, path, body, headers) => {
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
  const deployment = { ...status, environment: 'pr-7', environmentUrl: 'https://x', isTransient: true }
  expect(await hosts().createDeployment(repositoryOf('gitlab'), deployment)).toBeNull()
  await hosts().setDeploymentState(repositoryOf('gitlab'), '1', deployment)
  const id = await hosts().createDeployment(repositoryOf('github'), deployment)
  expect(id).toMatch(/^[0-9]+$/)
  await hosts().setDeploymentState(repositoryOf('github'), id ?? '', deployment)
  expect(api.requests.map(({ method }) => method)).toEqual(['POST', 'POST'])
})

const run: CheckRun = {
  sha: 'a'.repeat(40),
  name: 'shipway/pr-7',
  externalId: 'environment-3-task-9',
  url: 'https://ship.example.com/x',
  state: 'failure',
  title: 'Failed at Build images',
  summary: 'Failed step',
  annotations: [{ path: 'src/a.ts', line: 3, message: 'no' }],
  buttons: [{ label: 'Redeploy', description: 'Deploy this commit again', action: 'redeploy' }],
}

test('a check run is created with its annotations and buttons, and then updated', async () => {
  api.answers.set('GET /repos/group/sub/app/commits', { total_count: 0, check_runs: [] })
  const id = await hosts().writeCheckRun(repositoryOf('github'), { ...run, id: null })
  expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /repos/group/sub/app/commits/${run.sha}/check-runs?check_name=shipway%2Fpr-7&filter=latest&per_page=100`,
    'POST /repos/group/sub/app/check-runs',
  ])
  expect(api.requests[1]?.body).toEqual({
    head_sha: run.sha,
    name: 'shipway/pr-7',
    external_id: 'environment-3-task-9',
    details_url: 'https://ship.example.com/x',
    status: 'completed',
    conclusion: 'failure',
    output: {
      title: 'Failed at Build images',
      summary: 'Failed step',
      annotations: [{ path: 'src/a.ts', start_line: 3, end_line: 3, annotation_level: 'failure', message: 'no' }],
    },
    actions: [{ label: 'Redeploy', description: 'Deploy this commit again', identifier: 'redeploy' }],
  })
  api.requests.length = 0
  expect(
    await hosts().writeCheckRun(repositoryOf('github'), { ...run, state: 'in_progress', annotations: [], id }),
  ).toBe(id)
  expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `PATCH /repos/group/sub/app/check-runs/${id}`,
  ])
  expect(api.requests[0]?.body).toMatchObject({ status: 'in_progress' })
  expect(api.requests[0]?.body.conclusion).toBeUndefined()
})

test('a run that has its annotations gets them once, whether its id was stored or not', async () => {
  const found = [{ id: 6, external_id: run.externalId, output: { annotations_count: 1 } }]
  api.answers.set('GET /repos/group/sub/app/commits', { total_count: 1, check_runs: found })
  for (const id of [null, '6']) {
    api.requests.length = 0
    expect(await hosts().writeCheckRun(repositoryOf('github'), { ...run, id })).toBe('6')
    expect(api.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
    expect(api.requests[1]?.body.output).toEqual({ title: run.title, summary: run.summary })
  }
})

test('a check run whose id was not stored is found again', async () => {
  const found = [
    { id: 5, external_id: 'environment-3-task-8' },
    { id: 6, external_id: run.externalId },
  ]
  api.answers.set('GET /repos/group/sub/app/commits', { total_count: 2, check_runs: found })
  expect(await hosts().writeCheckRun(repositoryOf('github'), { ...run, id: null })).toBe('6')
  expect(api.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
})

const sha = 'a'.repeat(40)

test.each([
  [
    'github',
    `/repos/group/sub/app/commits/${sha}/check-runs`,
    {
      check_runs: [
        { name: 'a', status: 'completed', conclusion: 'success' },
        { name: 'b', status: 'queued', conclusion: null },
        { name: 'c', status: 'completed', conclusion: 'timed_out' },
        { name: 'd', status: 'completed', conclusion: 'action_required' },
      ],
    },
    ['a green', 'b pending', 'c red', 'd pending'],
  ],
  [
    'gitlab',
    `/projects/group%2Fsub%2Fapp/repository/commits/${sha}/statuses`,
    [
      { name: 'a', status: 'success', allow_failure: false },
      { name: 'b', status: 'running', allow_failure: true },
      { name: 'c', status: 'failed', allow_failure: false },
      { name: 'd', status: 'failed', allow_failure: true },
      { name: 'e', status: 'manual', allow_failure: true },
      { name: 'f', status: 'manual', allow_failure: false },
    ],
    ['a green', 'b pending', 'c red', 'd green', 'e green', 'f pending'],
  ],
  [
    'gitea',
    `/repos/group/sub/app/commits/${sha}/status`,
    {
      statuses: [
        { context: 'a', status: 'success' },
        { context: 'b', status: 'pending' },
        { context: 'c', status: 'error' },
        { context: 'd', status: 'warning' },
      ],
    },
    ['a green', 'b pending', 'c red', 'd green'],
  ],
  [
    'bitbucket',
    `/repositories/group/sub/app/commit/${sha}/statuses`,
    {
      values: [
        { key: 'k', name: 'a', state: 'SUCCESSFUL' },
        { key: 'b', name: '', state: 'INPROGRESS' },
        { key: 'c', state: 'STOPPED' },
      ],
    },
    ['a green', 'b pending', 'c red'],
  ],
] as const)('%s lists the checks of a commit', async (host, path, answer, expected) => {
  api.answers.set(`GET ${path}`, answer)
  api.answers.set(`GET /repos/group/sub/app/commits/${sha}/status`, host === 'gitea' ? answer : { statuses: [] })
  const found = await hosts().listChecks(repositoryOf(host), sha)
  expect(found.map(({ name, state }) => `${name} ${state}`)).toEqual(expected)
})

test('Bitbucket Data Center lists builds at an API of their own', async () => {
  api.answers.set('GET /', { values: [{ key: 'a', name: 'a', state: 'CANCELLED' }], isLastPage: true })
  expect(await hosts().listChecks(dataCenter, sha)).toEqual([{ name: 'a', state: 'red' }])
  const url = new URL(
    `${baseOf({ host: 'bitbucket', address: 'https://git.example.com/ctx/scm/a/b.git' })}/../../build-status/latest`,
  )
  expect([url.pathname, api.requests.length]).toEqual(['/ctx/rest/build-status/latest', 1])
})

test('every page of checks is read, to an end', async () => {
  const path = `GET /repos/group/sub/app/commits/${sha}/check-runs?filter=latest&per_page=100&page=`
  const page = (start: number, length: number) => ({
    check_runs: Array.from({ length }, (_, index) => ({
      name: `${start + index}`,
      status: 'queued',
      conclusion: null,
    })),
  })
  api.answers.set(`GET /repos/group/sub/app/commits/${sha}/status`, { statuses: [] })
  api.answers.set(`${path}1`, page(0, 100))
  api.answers.set(`${path}2`, page(100, 3))
  expect((await hosts().listChecks(repositoryOf('github'), sha)).length).toBe(103)
  api.answers.delete(`${path}1`)
  api.answers.delete(`${path}2`)
  api.answers.set(path, page(0, 100))
  await expect(hosts().listChecks(repositoryOf('github'), sha)).rejects.toThrow('more checks than are read')
})

test('a Gitea with shorter pages of checks than requested is read to its end', async () => {
  const path = `GET /repos/group/sub/app/commits/${sha}/status?limit=50&page=`
  const status = (context: string, state: string) => ({ context, status: state })
  api.answers.set(`${path}1`, { statuses: [status('a', 'success'), status('b', 'success')] })
  api.answers.set(`${path}2`, { statuses: [status('c', 'failure')] })
  api.answers.set(`${path}3`, { statuses: null })
  expect((await hosts().listChecks(repositoryOf('gitea'), sha)).map(({ state }) => state)).toContain('red')
})

test.each([
  [
    'github',
    {
      'GET /repos/group/sub/app/rules/branches/release%2F1': [
        { type: 'required_status_checks', parameters: { required_status_checks: [{ context: 'a' }, {}] } },
      ],
      'GET /repos/group/sub/app/branches/release%2F1': {
        protection: { required_status_checks: { contexts: ['b', 'a', 5, 'shipway/pr-1'] } },
      },
    },
    ['a', 'b'],
  ],
  ['github', { 'GET /repos/group/sub/app/rules': 404, 'GET /repos/group/sub/app/branches': 403 }, []],
  ['gitea', { 'GET /': { enable_status_check: true, status_check_contexts: ['a', 'shipway/x'] } }, ['a']],
  ['gitea', { 'GET /': { enable_status_check: false, status_check_contexts: ['a'] } }, []],
  ['gitlab', {}, []],
  ['bitbucket', {}, []],
] as const)('%s says what a branch requires', async (host, answers, expected) => {
  for (const [key, answer] of Object.entries(answers)) api.answers.set(key, answer)
  expect(await hosts().listRequiredChecks(repositoryOf(host), 'release/1')).toEqual(expected)
})

test('deployments of an environment that is gone are ended', async () => {
  api.answers.set('GET /repos/group/sub/app/deployments', [{ id: 1 }, { id: 2 }])
  await hosts().endDeployments(repositoryOf('github'), 'pr-7')
  await hosts().endDeployments(repositoryOf('gitlab'), 'pr-7')
  expect(api.requests.map(({ method, path, body }) => `${method} ${path} ${body?.state ?? ''}`)).toEqual([
    'GET /repos/group/sub/app/deployments?environment=pr-7&per_page=30 ',
    'POST /repos/group/sub/app/deployments/1/statuses inactive',
    'POST /repos/group/sub/app/deployments/2/statuses inactive',
  ])
})

test.each([
  [{ 'retry-after': '30' }, 30_000],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 600) }, 600_000],
  [{ 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '9999999999' }, 0],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, 0],
])('%j asks for a pause of %d ms', async (headers, pause) => {
  api.answers.set('POST /repos/group/sub/app/statuses', { status: 429, headers })
  const refused = await hosts()
    .setCommitStatus(repositoryOf('github'), status)
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(HostRefused)
  const asked = refused instanceof HostRefused ? refused.retryAfterMs : -1
  expect(Math.abs(asked - pause)).toBeLessThan(20_000)
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
  ['github', 'git@ssh.github.com:a/b.git', 'https://api.github.com'],
  ['github', 'git@acme.ghe.com:a/b.git', 'https://api.acme.ghe.com'],
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
