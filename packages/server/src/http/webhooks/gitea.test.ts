// What deliveries of Gitea and Forgejo say in our words, by their documented shapes.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { commit, NONE, pullRequest } from '../../../test/git-host-events.ts'
import { Secret } from '../../secrets/secret.ts'
import { computeSignatures } from '../../secrets/webhook-signature.ts'
import { gitea } from './gitea.ts'

const repository = {
  id: 140,
  name: 'webhooks',
  full_name: 'gitea/webhooks',
  html_url: 'http://localhost:3000/gitea/webhooks',
  ssh_url: 'ssh://gitea@localhost:2222/gitea/webhooks.git',
  clone_url: 'http://localhost:3000/gitea/webhooks.git',
  default_branch: 'master',
}
const push = {
  ref: 'refs/heads/develop',
  before: '28e1879d029cb852e4844d9c718537df08844e03',
  after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
  compare_url: 'http://localhost:3000/gitea/webhooks/compare/28e1879d...bffeb742',
  commits: [
    {
      id: 'bffeb74224043ba2feb48d137756c8a9331c449a',
      message: 'Webhooks Yay!',
      url: 'http://localhost:3000/gitea/webhooks/commit/bffeb742',
      author: { name: 'Gitea', email: 'someone@gitea.io', username: 'gitea' },
    },
  ],
  repository,
  pusher: { id: 1, login: 'gitea' },
  sender: { id: 1, login: 'gitea' },
}

test('a push carries its repository', () => {
  expect(gitea.translate('push', push)).toEqual({
    repository: { id: '140', addresses: [repository.clone_url, repository.ssh_url, repository.html_url] },
    events: [
      {
        kind: 'push',
        branch: 'develop',
        before: push.before,
        sha: push.after,
        isDeleted: false,
        isForced: null,
        isSkipped: false,
      },
    ],
  })
})

test('the newest commit of the list asks to be left alone', () => {
  const commits = [{ ...push.commits[0], message: 'Write [skip ci]' }]
  expect(gitea.translate('push', { ...push, commits }).events).toMatchObject([{ isSkipped: true }])
})

test('a deleted branch is an event of its own', () => {
  const deleted = { ref: 'develop', ref_type: 'branch', pusher_type: 'user', repository }
  expect(gitea.translate('delete', deleted).events).toMatchObject([{ branch: 'develop', sha: NONE, isDeleted: true }])
  expect(() => gitea.translate('delete', { ...deleted, ref_type: 'tag' })).toThrow('not_a_branch')
})

test.each([
  ['pull_request', 'opened', 'opened'],
  ['pull_request', 'reopened', 'reopened'],
  ['pull_request', 'edited', 'updated'],
  ['pull_request', 'synchronized', 'updated'],
  ['pull_request_sync', 'synchronized', 'updated'],
  ['pull_request', 'closed', 'closed'],
])('%s with the action %s', (event, action, ours) => {
  const payload = pullRequest(action, { sha: commit('c') })
  expect(gitea.translate(event, payload).events).toMatchObject([
    { action: ours, pullRequest: { number: 7, headSha: commit('c'), isFork: false } },
  ])
})

test('another target and a merge are recognised', () => {
  const changes = { ref: { from: 'develop' } }
  expect(gitea.translate('pull_request', pullRequest('edited', { more: { changes } })).events).toMatchObject([
    { action: 'retargeted' },
  ])
  expect(gitea.translate('pull_request', pullRequest('closed', { isMerged: true })).events).toMatchObject([
    { action: 'merged' },
  ])
})

test.each(['issues', 'create', 'pull_request_review_approved', 'release'])('%s is of no use', (event) => {
  expect(() => gitea.translate(event, push)).toThrow('event_not_used')
})

test.each(['assigned', 'milestoned', 'review_requested', 'constructor'])('the action %s is of no use', (action) => {
  expect(() => gitea.translate('pull_request', pullRequest(action))).toThrow('action_not_used')
})

test('the signature is in a header of its own, or in that of GitHub', () => {
  const body = Buffer.from('{}')
  const secret = new Secret('secret')
  const hex = createHmac('sha256', 'secret').update(body).digest('hex')
  const expected = computeSignatures(secret, { body })
  const isSigned = (headers: Record<string, string>) => gitea.isSigned({ headers, body, receivedAt: 0 }, expected)
  expect(isSigned({ 'x-gitea-signature': hex })).toBe(true)
  expect(isSigned({ 'x-forgejo-signature': hex })).toBe(true)
  expect(isSigned({ 'x-hub-signature-256': `sha256=${hex}` })).toBe(true)
  expect(isSigned({ 'x-gitea-signature': `sha256=${hex}` })).toBe(false)
  expect(isSigned({ 'x-gitea-signature': '', 'x-hub-signature-256': '' })).toBe(false)
  expect(isSigned({})).toBe(false)
})

test('a commit status says that checks have changed', () => {
  const payload = { sha: commit('b'), context: 'ci/woodpecker', state: 'success', repository }
  expect(gitea.translate('status', payload).events).toEqual([{ kind: 'checks_changed', sha: commit('b') }])
  expect(() => gitea.translate('status', { repository })).toThrow('incomplete_payload')
})
