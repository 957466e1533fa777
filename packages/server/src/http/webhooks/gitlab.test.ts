// What GitLab's deliveries say in our words, by their documented shapes, and both ways in which they are signed.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { commit, NONE } from '../../../test/git-host-events.ts'
import { Secret } from '../../secrets/secret.ts'
import { computeSignatures, signingTokenOf } from '../../secrets/webhook-signature.ts'
import { gitlab } from './gitlab.ts'

const project = {
  id: 15,
  name: 'Diaspora',
  web_url: 'http://example.com/mike/diaspora',
  git_ssh_url: 'git@example.com:mike/diaspora.git',
  git_http_url: 'http://example.com/mike/diaspora.git',
  path_with_namespace: 'mike/diaspora',
  default_branch: 'master',
}
const push = {
  object_kind: 'push',
  event_name: 'push',
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/master',
  ref_protected: true,
  checkout_sha: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  user_username: 'jsmith',
  project_id: 15,
  project,
  commits: [
    { id: 'b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327', message: 'Update Catalan translation [skip ci]' },
    { id: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7', message: 'fixed readme' },
  ],
  total_commits_count: 4,
}
const mergeRequest = {
  object_kind: 'merge_request',
  event_type: 'merge_request',
  user: { id: 1, name: 'Administrator', username: 'root' },
  project,
  object_attributes: {
    id: 99,
    iid: 1,
    target_branch: 'master',
    source_branch: 'ms-viewport',
    source_project_id: 14,
    target_project_id: 14,
    author_id: 51,
    title: 'MS-Viewport',
    created_at: '2013-12-03T17:23:34Z',
    updated_at: '2013-12-03T17:23:34Z',
    state: 'opened',
    blocking_discussions_resolved: true,
    url: 'http://example.com/diaspora/merge_requests/1',
    source: { name: 'Awesome Project', path_with_namespace: 'awesome_space/awesome_project' },
    target: { name: 'Awesome Project', path_with_namespace: 'awesome_space/awesome_project' },
    last_commit: { id: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7', message: 'fixed readme' },
    work_in_progress: false,
    draft: false,
    action: 'open',
  },
  changes: {},
}
const withAttributes = (attributes: object, more: object = {}) => ({
  ...mergeRequest,
  ...more,
  object_attributes: { ...mergeRequest.object_attributes, ...attributes },
})
const say = (payload: unknown) => gitlab.translate('any', payload).events

test('a push is recognised, and only its newest commit can ask to be skipped', () => {
  expect(gitlab.translate('Push Hook', push)).toEqual({
    repository: { id: '15', addresses: [project.git_http_url, project.git_ssh_url, project.web_url] },
    events: [
      {
        kind: 'push',
        branch: 'master',
        before: push.before,
        sha: push.after,
        isDeleted: false,
        isForced: null,
        isSkipped: false,
      },
    ],
  })
  expect(say({ ...push, push_options: { ci: { skip: true } } })).toMatchObject([{ isSkipped: true }])
  expect(say({ ...push, after: NONE, checkout_sha: null, commits: [] })).toMatchObject([{ isDeleted: true }])
})

test('a merge request is recognised', () => {
  expect(say(mergeRequest)).toEqual([
    {
      kind: 'pull_request',
      action: 'opened',
      pullRequest: {
        number: 1,
        title: 'MS-Viewport',
        url: 'http://example.com/diaspora/merge_requests/1',
        author: 'root',
        branch: 'ms-viewport',
        headSha: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
        headRepository: 'awesome_space/awesome_project',
        isFork: false,
        isDraft: false,
        labels: [],
        isBot: false,
        targetBranch: 'master',
        updatedAt: Date.parse('2013-12-03T17:23:34Z'),
      },
    },
  ])
})

test.each([
  ['open', 'opened'],
  ['reopen', 'reopened'],
  ['update', 'updated'],
  ['close', 'closed'],
  ['merge', 'merged'],
])('the action %s', (action, ours) => {
  expect(say(withAttributes({ action }))).toMatchObject([{ action: ours }])
})

test.each(['approved', 'unapproved', 'approval', 'unapproval'])('the action %s is of no use', (action) => {
  expect(() => say(withAttributes({ action }))).toThrow('action_not_used')
})

test('another target is reported; the user who changed it is not its author', () => {
  const changes = { target_branch: { previous: 'master', current: 'develop' } }
  expect(say(withAttributes({ action: 'update' }, { changes }))).toMatchObject([
    { action: 'retargeted', pullRequest: { author: null } },
  ])
})

test.each([
  ['another project', { source_project_id: 13 }, true],
  ['a project that is gone', { source_project_id: null }, true],
  ['no project', { source_project_id: undefined, target_project_id: undefined }, true],
  ['the same project', {}, false],
])('a merge request from %s', (_, attributes, isFork) => {
  expect(say(withAttributes(attributes))).toMatchObject([{ pullRequest: { isFork } }])
})

test('times of older versions are read', () => {
  const [event] = say(withAttributes({ updated_at: '2017-09-15 16:52:00 UTC' }))
  expect(event).toMatchObject({ pullRequest: { updatedAt: Date.parse('2017-09-15T16:52:00Z') } })
})

test.each([
  ['tag_push', 'not_a_branch'],
  ['note', 'event_not_used'],
  ['wiki_page', 'event_not_used'],
  ['pipeline', 'incomplete_payload'],
])('%s: %s', (kind, reason) => {
  expect(() => say({ ...push, object_kind: kind })).toThrow(reason)
})

test.each([
  ['pipeline', { object_attributes: { id: 31, sha: commit('b'), status: 'success' } }],
  ['build', { sha: commit('b'), build_id: 1977, build_name: 'test', build_status: 'created' }],
])('a %s says that checks have changed', (kind, payload) => {
  expect(say({ object_kind: kind, ...payload, project: push.project })).toEqual([
    { kind: 'checks_changed', sha: commit('b') },
  ])
})

test.each([
  ['of a project', { event_name: 'project_create', name: 'x', path_with_namespace: 'a/b' }],
  ['of a push', { ...push, object_kind: undefined }],
  ['of a merge request', mergeRequest],
  ['of an update', { event_name: 'repository_update', project_id: 1, changes: [] }],
])('a system hook %s is of no use', (_, payload) => {
  expect(() => gitlab.translate('System Hook', payload)).toThrow('event_not_used')
})

test('a payload of a system hook is of no use, however it is called', () => {
  expect(() => say({ event_name: 'user_create', name: 'x' })).toThrow('event_not_used')
})

const secret = new Secret('project secret')
const body = Buffer.from(JSON.stringify(push))
const now = 1_800_000_000_000
const isSigned = (headers: Record<string, string>) => {
  const standard = { id: headers['webhook-id'] ?? '', timestamp: headers['webhook-timestamp'] ?? '' }
  return gitlab.isSigned({ headers, body, receivedAt: now }, computeSignatures(secret, { body, standard }))
}
const signed = (seconds: number) => {
  const key = Buffer.from(signingTokenOf(secret).slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`id-1.${seconds}.`).update(body).digest('base64')
  return { 'webhook-id': 'id-1', 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

test('the secret is sent as a token', () => {
  expect(isSigned({ 'x-gitlab-token': 'project secret' })).toBe(true)
  for (const token of ['', 'project', 'PROJECT SECRET']) expect(isSigned({ 'x-gitlab-token': token })).toBe(false)
  expect(isSigned({})).toBe(false)
})

test('a signature holds for a while, and decides where both are sent', () => {
  expect(isSigned(signed(now / 1000))).toBe(true)
  expect(isSigned(signed(now / 1000 - 3 * 3600))).toBe(false)
  expect(isSigned({ ...signed(now / 1000), 'webhook-timestamp': 'soon' })).toBe(false)
  expect(isSigned({ 'webhook-signature': 'v1,bm8=', 'x-gitlab-token': 'project secret' })).toBe(false)
})

test('a delivery that is sent again has the same id', () => {
  const ids = { 'webhook-id': 'a', 'idempotency-key': 'b', 'x-gitlab-event-uuid': 'c' }
  expect(gitlab.deliveryIdOf(ids)).toBe('a')
  expect(gitlab.deliveryIdOf({ 'idempotency-key': 'b', 'x-gitlab-event-uuid': 'c' })).toBe('b')
  expect(gitlab.deliveryIdOf({ 'x-gitlab-event-uuid': 'c' })).toBe('c')
})
