// What deliveries of Bitbucket Cloud and of Bitbucket Data Center say in our words, by their documented shapes.
import { expect, test } from 'vitest'
import { commit, NONE } from '../../../test/git-host-events.ts'
import { bitbucket } from './bitbucket.ts'

const repository = {
  type: 'repository',
  uuid: '{673a6070-3421-46c9-9d48-90745f7bfe8e}',
  full_name: 'team_name/repo_name',
  links: { html: { href: 'https://bitbucket.org/team_name/repo_name' } },
}
const tip = (name: string, hash: string, type = 'branch') => ({
  type,
  name,
  target: { type: 'commit', hash, message: 'new commit message\n', date: '2015-06-09T03:34:49+00:00' },
  links: {},
})
const pushed = (changes: readonly unknown[]) => ({ actor: {}, repository, push: { changes } })
const moved = {
  new: tip('main', commit('b')),
  old: tip('main', commit('a')),
  created: false,
  closed: false,
  forced: true,
}

test('a push is an event for every branch that it moves', () => {
  const created = { new: tip('feature', commit('c')), old: null, created: true, forced: false }
  const closed = { new: null, old: tip('old', commit('d')), closed: true, forced: false }
  const tag = { new: tip('v1', commit('e'), 'tag'), old: null, forced: false }
  const { repository: found, events } = bitbucket.translate('repo:push', pushed([moved, created, closed, tag]))
  expect(found).toEqual({ id: repository.uuid, addresses: ['https://bitbucket.org/team_name/repo_name'] })
  expect(events).toMatchObject([
    { branch: 'main', before: commit('a'), sha: commit('b'), isForced: true, isDeleted: false },
    { branch: 'feature', before: NONE, sha: commit('c'), isDeleted: false },
    { branch: 'old', before: commit('d'), sha: NONE, isDeleted: true },
  ])
  expect(events.length).toBe(3)
  expect(() => bitbucket.translate('repo:push', pushed([tag]))).toThrow('not_a_branch')
  expect(() => bitbucket.translate('repo:push', pushed([]))).toThrow('incomplete_payload')
})

test('a branch that is refused keeps none of the others from being read', () => {
  const refused = [tip('main:evil', commit('c')), tip('x', 'HEAD'), { type: 'branch' }]
  const changes = [...refused.map((one) => ({ new: one, old: null })), null, moved]
  expect(bitbucket.translate('repo:push', pushed(changes)).events).toMatchObject([{ branch: 'main' }])
  const payload = {
    repository: ofDataCenter,
    changes: [
      { ...change('ADD', NONE, commit('c')), ref: { displayId: 'a..b', type: 'BRANCH' } },
      change('UPDATE', commit('a'), commit('b')),
    ],
  }
  expect(bitbucket.translate('repo:refs_changed', payload).events).toMatchObject([{ branch: 'main' }])
  expect(() => bitbucket.translate('repo:push', pushed(changes.slice(0, 1)))).toThrow('invalid_ref')
})

const side = (name: string, hash: string, uuid?: string) => ({
  branch: { name },
  commit: { hash },
  repository: uuid === undefined ? null : { uuid, full_name: 'team_name/repo_name' },
})
const pullRequest = (source = side('feature', 'd3022fc0ca3d', repository.uuid)) => ({
  actor: {},
  repository,
  pullrequest: {
    id: 3,
    title: 'Title of pull request',
    state: 'OPEN',
    draft: true,
    author: { type: 'user', nickname: 'emma', display_name: 'Emma' },
    source,
    destination: side('main', 'ce5965ddd289', repository.uuid),
    links: { html: { href: 'https://bitbucket.org/team_name/repo_name/pull-requests/3' } },
    created_on: '2015-04-06T15:23:38.179678+00:00',
    updated_on: '2015-04-06T15:23:38.205705+00:00',
  },
})

test.each([
  ['pullrequest:created', 'opened'],
  ['pullrequest:updated', 'updated'],
  ['pullrequest:fulfilled', 'merged'],
  ['pullrequest:rejected', 'closed'],
])('%s', (event, action) => {
  expect(bitbucket.translate(event, pullRequest()).events).toEqual([
    {
      kind: 'pull_request',
      action,
      pullRequest: {
        number: 3,
        title: 'Title of pull request',
        url: 'https://bitbucket.org/team_name/repo_name/pull-requests/3',
        author: 'emma',
        branch: 'feature',
        headSha: 'd3022fc0ca3d',
        headRepository: 'team_name/repo_name',
        isFork: false,
        isDraft: true,
        labels: null,
        isBot: false,
        targetBranch: 'main',
        updatedAt: Date.parse('2015-04-06T15:23:38.205Z'),
      },
    },
  ])
})

test.each(['pullrequest:fulfilled', 'pullrequest:rejected'])('%s is the end, also without a commit', (event) => {
  const source = { branch: { name: 'feature' }, commit: null, repository: null }
  const payload = { ...pullRequest(), pullrequest: { ...pullRequest().pullrequest, source } }
  expect(bitbucket.translate(event, payload).events).toMatchObject([{ pullRequest: { number: 3, headSha: null } }])
  expect(() => bitbucket.translate('pullrequest:updated', payload)).toThrow('incomplete_payload')
})

test.each([
  ['of another repository', side('feature', 'd3022fc0ca3d', '{another}')],
  ['of a repository that is gone', side('feature', 'd3022fc0ca3d')],
  ['of a repository without a name', side('feature', 'd3022fc0ca3d', '')],
])('a branch %s is a stranger', (_, source) => {
  const { events } = bitbucket.translate('pullrequest:created', pullRequest(source))
  expect(events).toMatchObject([{ pullRequest: { isFork: true } }])
})

test.each([
  ['pullrequest:approved', 'action_not_used'],
  ['pullrequest:comment_created', 'not_a_command'],
  ['repo:fork', 'event_not_used'],
  ['issue:created', 'event_not_used'],
  ['pr:comment:added', 'not_a_command'],
])('%s is of no use', (event, reason) => {
  expect(() => bitbucket.translate(event, pullRequest())).toThrow(reason)
})

const ofDataCenter = {
  id: 84,
  slug: 'repository',
  links: { clone: [{ href: 'ssh://git@bitbucket.example.com/p/r.git' }] },
}
const change = (type: string, fromHash: string, toHash: string, refType = 'BRANCH') => ({
  ref: { id: 'refs/heads/main', displayId: 'main', type: refType },
  refId: 'refs/heads/main',
  fromHash,
  toHash,
  type,
})

test('Data Center describes pushes by what they changed', () => {
  const payload = {
    eventKey: 'repo:refs_changed',
    date: '2017-09-19T09:45:32+1000',
    actor: { name: 'admin' },
    repository: ofDataCenter,
    changes: [change('UPDATE', commit('a'), commit('b')), change('ADD', NONE, commit('c'), 'TAG')],
    commits: [{ id: commit('b'), message: 'Write [skip ci]' }],
  }
  expect(bitbucket.translate('repo:refs_changed', payload)).toEqual({
    repository: { id: '84', addresses: ['ssh://git@bitbucket.example.com/p/r.git'] },
    events: [
      {
        kind: 'push',
        branch: 'main',
        before: commit('a'),
        sha: commit('b'),
        isDeleted: false,
        isForced: null,
        isSkipped: true,
      },
    ],
  })
  const deleted = { ...payload, changes: [change('DELETE', commit('a'), NONE)] }
  expect(bitbucket.translate('repo:refs_changed', deleted).events).toMatchObject([{ isDeleted: true }])
})

test('Data Center asks whether anybody answers', () => {
  expect(bitbucket.translate('diagnostics:ping', { test: true }).events).toEqual([{ kind: 'ping' }])
})

test.each([
  ['pr:opened', 'opened'],
  ['pr:from_ref_updated', 'updated'],
  ['pr:merged', 'merged'],
  ['pr:declined', 'closed'],
  ['pr:deleted', 'closed'],
])('Data Center: %s', (event, action) => {
  const ref = (displayId: string, hash: string, id: unknown = 84) => ({
    id: `refs/heads/${displayId}`,
    displayId,
    latestCommit: hash,
    repository: { slug: 'repository', id },
  })
  const pullRequest = {
    id: 11,
    title: 'A new title',
    state: 'OPEN',
    createdDate: 1505783860548,
    updatedDate: 1505783878981,
    fromRef: ref('feature', commit('b')),
    toRef: ref('main', commit('a')),
    author: { user: { name: 'admin' } },
    links: { self: [null] },
  }
  expect(bitbucket.translate(event, { eventKey: event, pullRequest }).events).toMatchObject([
    { action, pullRequest: { number: 11, headSha: commit('b'), isFork: false, updatedAt: 1505783878981, url: null } },
  ])
  // As from version 10.3 on.
  const newer = { ...pullRequest, createdDate: '2017-09-19T01:17:40.548Z', updatedDate: '2017-09-19T01:17:58.981Z' }
  expect(bitbucket.translate(event, { pullRequest: newer }).events).toMatchObject([
    { action, pullRequest: { number: 11, updatedAt: 1505783878981 } },
  ])
  const stranger = { ...pullRequest, fromRef: ref('feature', commit('b'), 85) }
  expect(bitbucket.translate(event, { pullRequest: stranger }).events).toMatchObject([
    { pullRequest: { isFork: true } },
  ])
})

test.each(['repo:commit_status_created', 'repo:commit_status_updated'])('%s says that checks have changed', (event) => {
  const href = `https://api.bitbucket.org/2.0/repositories/tk/test/commit/${commit('b')}`
  const payload = {
    repository,
    commit_status: { key: 'mybuildtool', state: 'INPROGRESS', links: { commit: { href } } },
  }
  expect(bitbucket.translate(event, payload).events).toEqual([{ kind: 'checks_changed', sha: commit('b') }])
  expect(() => bitbucket.translate(event, { repository, commit_status: {} })).toThrow('incomplete_payload')
})

test('an endless address of a commit is read in a time that grows with its length alone', () => {
  const commit_status = { links: { commit: { href: `${'a'.repeat(250_000)}/` } } }
  expect(() => bitbucket.translate('repo:commit_status_updated', { repository, commit_status })).toThrow('incomplete')
})
