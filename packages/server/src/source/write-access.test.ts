// Who may use `/preview` and the buttons of check runs: the call that asks each git host for the access of an account. Only a clear yes is
// `write`; a missing right of the token is `unknown`, and no answer is an error, which callers treat as unknown.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GitHostApi, startGitHostApi } from '../../test/git-host-api.ts'
import { Secret } from '../secrets/secret.ts'
import type { HostRepository } from './git-host/host-repository.ts'
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

const token = new Secret('token')
const ada = { name: 'ada', id: '{5}' }
const atDataCenter = { name: 'ada', slug: 'ada', type: 'NORMAL', active: true }
const entry = (permission: string, uuid = '{5}') => ({ user: { uuid }, permission })
type Row = {
  readonly host: string
  readonly repository: HostRepository
  readonly request: string
  readonly yes: readonly object[]
  readonly no: readonly object[]
}

const rows: readonly Row[] = [
  {
    host: 'GitHub',
    repository: { host: 'github', address: 'git@github.com:acme/app.git', token },
    request: 'GET /repos/acme/app/collaborators/ada/permission',
    yes: [{ permission: 'admin' }, { permission: 'write', role_name: 'maintain' }],
    no: [{ permission: 'read', role_name: 'triage' }, { permission: 'none' }, { permission: 'WRITE' }, {}, []],
  },
  {
    host: 'GitLab',
    repository: { host: 'gitlab', address: 'git@gitlab.example.com:group/sub/app.git', token },
    request: 'GET /projects/group%2Fsub%2Fapp/members/all/%7B5%7D',
    yes: [{ access_level: 30 }, { access_level: 50, state: 'active' }],
    no: [
      { access_level: 20 },
      { access_level: '30' },
      { access_level: 40, state: 'blocked' },
      { access_level: 40, state: 'awaiting' },
      {},
      [],
    ],
  },
  {
    host: 'Gitea and Forgejo',
    repository: { host: 'gitea', address: 'git@gitea.example.com:acme/app.git', token },
    request: 'GET /repos/acme/app/collaborators/ada/permission',
    yes: [{ permission: 'owner' }, { permission: 'admin' }, { permission: 'write' }],
    no: [{ permission: 'read' }, { permission: 'none' }, {}, []],
  },
  {
    host: 'Bitbucket Cloud',
    repository: { host: 'bitbucket', address: 'git@bitbucket.org:acme/app.git', token },
    request: 'GET /workspaces/acme/permissions/repositories/app?q=user.uuid%3D%22%7B5%7D%22',
    yes: [{ values: [entry('write')] }, { values: [entry('read', '{6}'), entry('admin')] }],
    // A server that ignores the query lists everybody.
    no: [{ values: [] }, { values: [entry('read')] }, { values: [entry('admin', '{6}')] }, { values: {} }, {}, []],
  },
  {
    host: 'Bitbucket Data Center',
    repository: { host: 'bitbucket', address: 'ssh://git@git.example.com:7999/acme/app.git', token },
    request:
      'GET /users?filter=ada&permission.1=REPO_WRITE&permission.1.projectKey=acme&permission.1.repositorySlug=app&limit=100',
    yes: [{ values: [atDataCenter] }],
    // The filter also finds names that begin with it.
    no: [
      { values: [] },
      { values: [{ ...atDataCenter, name: 'adam' }] },
      { values: [{ ...atDataCenter, active: false }] },
      {},
      [],
    ],
  },
]

describe.each(rows)('$host', ({ repository, request, yes, no }) => {
  const find = (account = ada) =>
    createGitHosts({ allowedNetworks: ['127.0.0.0/8'], base: api.base }).findWriteAccess(repository, account)

  test('is asked once, for this account and repository', async () => {
    api.answers.set('GET /', yes[0] ?? {})
    expect(await find()).toBe('write')
    expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([request])
  })

  test.each(yes)('%j is a yes', async (answer) => {
    api.answers.set('GET /', answer)
    expect(await find()).toBe('write')
  })

  test.each(no)('%j is a no', async (answer) => {
    api.answers.set('GET /', answer)
    expect(await find()).toBe('none')
  })

  test.each<[status: number, answer: 'none' | 'unknown']>([
    [404, 'none'],
    [401, 'unknown'],
    [403, 'unknown'],
  ])('%i is %s', async (status, answer) => {
    api.answers.set('GET /', status)
    expect(await find()).toBe(answer)
  })

  test.each([
    302,
    429,
    500,
    503,
    { status: 403, headers: { 'retry-after': '9' } },
    { status: 404, headers: { 'retry-after': '9' } },
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' } },
  ])('%j is no answer', async (answer) => {
    api.answers.set('GET /', answer)
    await expect(find()).rejects.toThrow()
  })

  test('an account cannot make it ask about another path', async () => {
    api.answers.set('GET /', 404)
    expect(await find({ name: '../../eve?x=', id: '../../eve?x=' })).toBe('none')
    const [asked = ''] = api.requests.map(({ path }) => path)
    expect(asked.split('/').length).toBe(request.split('/').length)
    expect(asked).not.toContain('eve?x')
  })
})

test('hosts that ask by id are not asked without one', async () => {
  const find = createGitHosts({ allowedNetworks: ['127.0.0.0/8'], base: api.base }).findWriteAccess
  const byId = rows.filter(({ host }) => host === 'GitLab' || host === 'Bitbucket Cloud')
  for (const { repository } of byId) expect(await find(repository, { name: 'ada', id: null })).toBe('unknown')
  expect([byId.length, api.requests.length]).toEqual([2, 0])
})
