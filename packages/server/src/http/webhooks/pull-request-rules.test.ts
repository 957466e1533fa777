// What the deliveries of every git host say for the rules about pull requests: labels, drafts, bots, target branches and commands.
// GitHub's are its own examples; the others are written as their documentation says.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commit } from '../../../test/git-host-events.ts'
import { bitbucket } from './bitbucket.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { type Dialect, Unused } from './webhook-dialect.ts'

const say = (dialect: Dialect, event: string, payload: unknown) => {
  try {
    return dialect.translate(event, payload).events[0]
  } catch (error) {
    if (error instanceof Unused) return error.reason
    throw error
  }
}

type Example = {
  readonly action: string
  // biome-ignore lint/suspicious/noExplicitAny: GitHub's examples have every shape
  readonly [field: string]: any
}

describe('GitHub', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@octokit/webhooks-examples/package.json'))
  const all: readonly { name: string; examples: readonly Example[] }[] = JSON.parse(
    readFileSync(join(folder, 'api.github.com/index.json'), 'utf8'),
  )
  const example = (name: string, action: string): Example => {
    const found = all
      .filter((definition) => definition.name === name)
      .flatMap(({ examples }) => examples)
      .find((one) => one.action === action)
    if (!found) throw new Error(`There is no example of ${name} ${action}`)
    return found
  }
  const changed = (action: string, pull_request: object, more: object = {}) => {
    const payload = example('pull_request', action)
    return { ...payload, pull_request: { ...payload['pull_request'], ...pull_request }, ...more }
  }

  test('labels, given and taken', () => {
    const labels = [
      { id: 1, name: 'preview' },
      { id: 2, name: 'bug' },
    ]
    expect(say(github, 'pull_request', changed('labeled', { labels }))).toMatchObject({
      action: 'labelled',
      pullRequest: { labels: ['preview', 'bug'] },
    })
    expect(say(github, 'pull_request', changed('unlabeled', { labels: [] }))).toMatchObject({
      action: 'unlabelled',
      pullRequest: { labels: [] },
    })
  })

  test('a draft, and ready', () => {
    expect(say(github, 'pull_request', example('pull_request', 'converted_to_draft'))).toMatchObject({
      action: 'converted_to_draft',
      pullRequest: { isDraft: true },
    })
    expect(say(github, 'pull_request', example('pull_request', 'ready_for_review'))).toMatchObject({
      action: 'ready_for_review',
      pullRequest: { isDraft: false },
    })
  })

  test('a bot', () => {
    const user = { login: 'dependabot[bot]', id: 49699333, type: 'Bot' }
    expect(say(github, 'pull_request', changed('opened', { user }))).toMatchObject({
      pullRequest: { isBot: true, author: 'dependabot[bot]' },
    })
    expect(say(github, 'pull_request', example('pull_request', 'opened'))).toMatchObject({
      pullRequest: { isBot: false },
    })
  })

  test('another base branch', () => {
    const base = { ...example('pull_request', 'opened')['pull_request'].base, ref: 'release/2' }
    const more = { changes: { base: { ref: { from: 'main' }, sha: { from: commit('a') } } } }
    expect(say(github, 'pull_request', { ...changed('opened', { base }, more), action: 'edited' })).toMatchObject({
      action: 'retargeted',
      pullRequest: { targetBranch: 'release/2' },
    })
  })

  test('a command in a comment', () => {
    const payload = example('issue_comment', 'created')
    const of = (body: string, issue: object) => ({
      ...payload,
      issue: { ...payload['issue'], ...issue },
      comment: { ...payload['comment'], body },
    })
    const pull = { pull_request: { url: 'https://api.github.com/repos/Codertocat/Hello-World/pulls/1' } }
    expect(say(github, 'issue_comment', of('/preview', pull))).toEqual({
      kind: 'comment',
      number: 1,
      command: 'start',
      author: { name: 'Codertocat', id: '21031067' },
    })
    expect(say(github, 'issue_comment', of('/preview', { pull_request: undefined }))).toBe('event_not_used')
    expect(say(github, 'issue_comment', of('Nice', pull))).toBe('not_a_command')
    expect(say(github, 'issue_comment', { ...of('/preview', pull), action: 'edited' })).toBe('action_not_used')
  })
})

describe('GitLab', () => {
  const user = { id: 1, name: 'Administrator', username: 'root' }
  const project = { id: 1, git_http_url: 'https://gitlab.example.com/a/b.git' }
  const mergeRequest = (action: string, attributes: object = {}, more: object = {}) => ({
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user,
    project,
    object_attributes: {
      id: 99,
      iid: 7,
      target_branch: 'main',
      source_branch: 'feature',
      source_project_id: 1,
      target_project_id: 1,
      author_id: 51,
      title: 'Add a feature',
      draft: false,
      work_in_progress: false,
      state: 'opened',
      action,
      last_commit: { id: commit('a') },
      updated_at: '2026-01-02T03:00:00Z',
      url: 'https://gitlab.example.com/a/b/merge_requests/7',
      ...attributes,
    },
    labels: [],
    changes: {},
    ...more,
  })
  const label = { id: 206, title: 'preview', color: '#ffffff', type: 'ProjectLabel' }

  test('labels, given and taken', () => {
    const given = { labels: [label], changes: { labels: { previous: [], current: [label] } } }
    expect(say(gitlab, 'Merge Request Hook', mergeRequest('update', {}, given))).toMatchObject({
      action: 'labelled',
      pullRequest: { labels: ['preview'] },
    })
    const taken = { labels: [], changes: { labels: { previous: [label], current: [] } } }
    expect(say(gitlab, 'Merge Request Hook', mergeRequest('update', {}, taken))).toMatchObject({
      action: 'unlabelled',
      pullRequest: { labels: [] },
    })
  })

  test('a draft, and ready', () => {
    const changes = (previous: boolean, current: boolean) => ({ changes: { draft: { previous, current } } })
    expect(
      say(gitlab, 'Merge Request Hook', mergeRequest('update', { draft: true }, changes(false, true))),
    ).toMatchObject({ action: 'converted_to_draft', pullRequest: { isDraft: true } })
    expect(say(gitlab, 'Merge Request Hook', mergeRequest('update', {}, changes(true, false)))).toMatchObject({
      action: 'ready_for_review',
      pullRequest: { isDraft: false },
    })
  })

  test('the user of a project access token is a bot; who updates a merge request says nothing of its author', () => {
    const bot = { user: { ...user, username: 'project_42_bot_1f2e3d' } }
    expect(say(gitlab, 'Merge Request Hook', mergeRequest('open', {}, bot))).toMatchObject({
      pullRequest: { isBot: true },
    })
    expect(say(gitlab, 'Merge Request Hook', mergeRequest('open'))).toMatchObject({ pullRequest: { isBot: false } })
    expect(say(gitlab, 'Merge Request Hook', mergeRequest('update', {}, bot))).toMatchObject({
      pullRequest: { isBot: null },
    })
  })

  test('another target branch', () => {
    const changes = { changes: { target_branch: { previous: 'main', current: 'release/2' } } }
    const payload = mergeRequest('update', { target_branch: 'release/2' }, changes)
    expect(say(gitlab, 'Merge Request Hook', payload)).toMatchObject({
      action: 'retargeted',
      pullRequest: { targetBranch: 'release/2' },
    })
  })

  test('a command in a note of a merge request', () => {
    const note = (text: string, attributes: object = {}) => ({
      object_kind: 'note',
      event_type: 'note',
      user,
      project,
      object_attributes: {
        id: 1244,
        note: text,
        noteable_type: 'MergeRequest',
        author_id: 1,
        action: 'create',
        ...attributes,
      },
      merge_request: { id: 7, iid: 7 },
    })
    expect(say(gitlab, 'Note Hook', note('/preview stop'))).toEqual({
      kind: 'comment',
      number: 7,
      command: 'stop',
      author: { name: 'root', id: '1' },
    })
    expect(say(gitlab, 'Note Hook', note('/preview', { noteable_type: 'Commit' }))).toBe('event_not_used')
    expect(say(gitlab, 'Note Hook', note('/preview', { action: 'update' }))).toBe('action_not_used')
  })
})

describe('Gitea and Forgejo', () => {
  const pullRequest = (action: string, more: object = {}) => ({
    action,
    number: 7,
    pull_request: {
      number: 7,
      title: 'Add a feature',
      html_url: 'https://gitea.example.com/a/b/pulls/7',
      user: { id: 3, login: 'ada' },
      labels: [],
      draft: false,
      head: { ref: 'feature', sha: commit('a'), repo: { id: 1, full_name: 'a/b' } },
      base: { ref: 'main', sha: commit('b'), repo: { id: 1, full_name: 'a/b' } },
      updated_at: '2026-01-02T03:00:00Z',
      ...more,
    },
    repository: { id: 1, clone_url: 'https://gitea.example.com/a/b.git' },
    sender: { id: 3, login: 'ada' },
  })

  test('labels, given, taken and cleared', () => {
    const labels = [{ id: 1, name: 'preview', color: '00aabb' }]
    expect(say(gitea, 'pull_request', pullRequest('label_updated', { labels }))).toMatchObject({
      action: 'labelled',
      pullRequest: { labels: ['preview'] },
    })
    expect(say(gitea, 'pull_request', pullRequest('label_updated'))).toMatchObject({ pullRequest: { labels: [] } })
    // Recorded deliveries of Gitea and Forgejo still list the labels that were cleared.
    expect(say(gitea, 'pull_request_label', pullRequest('label_cleared', { labels }))).toMatchObject({
      action: 'unlabelled',
      pullRequest: { labels: [] },
    })
  })

  test('a draft, and ready: its title is edited', () => {
    expect(say(gitea, 'pull_request', pullRequest('edited', { draft: true }))).toMatchObject({
      pullRequest: { isDraft: true },
    })
    expect(say(gitea, 'pull_request', pullRequest('edited'))).toMatchObject({ pullRequest: { isDraft: false } })
  })

  test('only its own accounts are bots', () => {
    const actions = { user: { id: -2, login: 'gitea-actions' } }
    expect(say(gitea, 'pull_request', pullRequest('opened', actions))).toMatchObject({ pullRequest: { isBot: true } })
    expect(say(gitea, 'pull_request', pullRequest('opened'))).toMatchObject({ pullRequest: { isBot: false } })
  })

  test('another target branch', () => {
    const base = { ref: 'release/2', sha: commit('b'), repo: { id: 1 } }
    const payload = { ...pullRequest('edited', { base }), changes: { ref: { from: 'main' } } }
    expect(say(gitea, 'pull_request', payload)).toMatchObject({
      action: 'retargeted',
      pullRequest: { targetBranch: 'release/2' },
    })
  })

  test.each(['issue_comment', 'pull_request_comment'])('a command in a comment: %s', (event) => {
    const payload = {
      action: 'created',
      issue: { id: 9, number: 7, pull_request: { merged: false } },
      comment: { id: 5, body: '/preview redeploy', user: { id: 3, login: 'ada' } },
      repository: { id: 1 },
      is_pull: true,
    }
    expect(say(gitea, event, payload)).toEqual({
      kind: 'comment',
      number: 7,
      command: 'redeploy',
      author: { name: 'ada', id: '3' },
    })
  })
})

describe('Bitbucket Cloud', () => {
  const repository = { uuid: '{1}', full_name: 'a/b', links: { html: { href: 'https://bitbucket.org/a/b' } } }
  const side = (name: string) => ({ branch: { name }, commit: { hash: 'a'.repeat(12) }, repository })
  const payload = (more: object = {}) => ({
    actor: { type: 'user', uuid: '{ada}', nickname: 'ada' },
    repository,
    pullrequest: {
      id: 7,
      title: 'Add a feature',
      draft: false,
      author: { type: 'user', uuid: '{ada}', nickname: 'ada' },
      source: side('feature'),
      destination: side('main'),
      updated_on: '2026-01-02T03:00:00Z',
      ...more,
    },
  })

  test('it has no labels; drafts, bots and target branches are recognised', () => {
    expect(say(bitbucket, 'pullrequest:created', payload({ draft: true }))).toMatchObject({
      pullRequest: { labels: null, isDraft: true, isBot: false },
    })
    const author = { type: 'app_user', uuid: '{bot}', display_name: 'Renovate' }
    expect(say(bitbucket, 'pullrequest:updated', payload({ author, destination: side('release/2') }))).toMatchObject({
      pullRequest: { isDraft: false, isBot: true, targetBranch: 'release/2' },
    })
  })

  test('a command in a comment', () => {
    const comment = { id: 17, content: { raw: '/preview', markup: 'markdown' } }
    expect(say(bitbucket, 'pullrequest:comment_created', { ...payload(), comment })).toEqual({
      kind: 'comment',
      number: 7,
      command: 'start',
      author: { name: 'ada', id: '{ada}' },
    })
  })
})

describe('Bitbucket Data Center', () => {
  const ref = (displayId: string) => ({ displayId, latestCommit: commit('a'), repository: { id: 84, slug: 'b' } })
  const payload = (more: object = {}) => ({
    actor: { name: 'ada', id: 3, type: 'NORMAL' },
    pullRequest: {
      id: 7,
      title: 'Add a feature',
      draft: false,
      author: { user: { name: 'ada', type: 'NORMAL' } },
      fromRef: ref('feature'),
      toRef: ref('main'),
      updatedDate: 1_767_322_800_000,
      ...more,
    },
  })

  test('it has no labels; drafts, bots and target branches are recognised', () => {
    const author = { user: { name: 'renovate', type: 'SERVICE' } }
    expect(say(bitbucket, 'pr:opened', payload({ draft: true, author }))).toMatchObject({
      pullRequest: { labels: null, isDraft: true, isBot: true },
    })
    const moved = { ...payload({ toRef: ref('release/2') }), previousTarget: { displayId: 'main' } }
    expect(say(bitbucket, 'pr:modified', moved)).toMatchObject({
      action: 'retargeted',
      pullRequest: { isBot: false, targetBranch: 'release/2' },
    })
  })

  test('a command in a comment', () => {
    expect(say(bitbucket, 'pr:comment:added', { ...payload(), comment: { id: 62, text: '/preview stop' } })).toEqual({
      kind: 'comment',
      number: 7,
      command: 'stop',
      author: { name: 'ada', id: '3' },
    })
  })
})
