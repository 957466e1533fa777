// What every git host delivers about the rules for pull requests, in the shapes of recorded deliveries.
import { dialects, type TestDialect } from './git-host-dialects.ts'
import { commit } from './git-host-events.ts'

type HostEvent = { readonly event: string; readonly payload: object }

export type PullRequestChange = {
  readonly how: 'opened' | 'updated' | 'labelled' | 'cleared' | 'readied' | 'retargeted' | 'closed'
  readonly labels?: readonly string[]
  readonly isDraft?: boolean
  readonly isBot?: boolean
  readonly target?: string
  readonly sha?: string
  /** Seconds after an hour of no importance. */
  readonly at?: number
}

export type RuledHost = {
  readonly name: string
  readonly dialect: TestDialect
  readonly hasLabels: boolean
  pullRequest(change: PullRequestChange): HostEvent
  comment(text: string, author: string): HostEvent
}

type Facts = Required<PullRequestChange> & { readonly time: Date }

const factsOf = (change: PullRequestChange): Facts => ({
  labels: [],
  isDraft: false,
  isBot: false,
  target: 'main',
  sha: commit('a'),
  at: 0,
  ...change,
  time: new Date(Date.parse('2026-01-02T03:00:00Z') + (change.at ?? 0) * 1000),
})

const named = (name: string): TestDialect => {
  const dialect = dialects.find((each) => each.name === name)
  if (!dialect) throw new Error(`There is no dialect of ${name}`)
  return dialect
}

const REPOSITORY = { id: 1, full_name: 'acme/app' }

/** GitHub and Gitea say nearly the same. */
const likeGithub = ({ labels, isDraft, target, sha, time }: Facts, user: object) => ({
  number: 7,
  pull_request: {
    number: 7,
    state: 'open',
    title: 'Add a feature',
    html_url: 'https://git.example.com/acme/app/pulls/7',
    user,
    labels: labels.map((name, index) => ({ id: index + 1, name, color: '00aabb' })),
    draft: isDraft,
    head: { ref: 'feature', sha, repo: REPOSITORY },
    base: { ref: target, sha: commit('0'), repo: REPOSITORY },
    merged: false,
    updated_at: time.toISOString(),
  },
  repository: REPOSITORY,
})

const commentLikeGithub = (text: string, author: string) => ({
  action: 'created',
  issue: { number: 7, pull_request: { url: 'https://git.example.com/acme/app/pulls/7' } },
  comment: { id: 5, body: text, user: { id: 5, login: author } },
  repository: REPOSITORY,
})

const github: RuledHost = {
  name: 'GitHub',
  dialect: named('GitHub'),
  hasLabels: true,
  pullRequest: (change) => {
    const facts = factsOf(change)
    const actions = { updated: 'synchronize', labelled: 'labeled', cleared: 'unlabeled', readied: 'ready_for_review' }
    const action = { ...actions, opened: 'opened', retargeted: 'edited', closed: 'closed' }[facts.how]
    const user = facts.isBot ? { login: 'dependabot[bot]', id: 3, type: 'Bot' } : { login: 'ada', id: 2, type: 'User' }
    const changes = facts.how === 'retargeted' && { changes: { base: { ref: { from: 'develop' } } } }
    return { event: 'pull_request', payload: { action, ...likeGithub(facts, user), ...changes } }
  },
  comment: (text, author) => ({ event: 'issue_comment', payload: commentLikeGithub(text, author) }),
}

const gitea: RuledHost = {
  name: 'Gitea',
  dialect: named('Gitea'),
  hasLabels: true,
  pullRequest: (change) => {
    const facts = factsOf(change)
    const actions = { updated: 'synchronized', labelled: 'label_updated', cleared: 'label_cleared', readied: 'edited' }
    const action = { ...actions, opened: 'opened', retargeted: 'edited', closed: 'closed' }[facts.how]
    const event = { updated: 'pull_request_sync', labelled: 'pull_request_label', cleared: 'pull_request_label' }
    const user = facts.isBot ? { login: 'gitea-actions', id: -2 } : { login: 'ada', id: 2 }
    const changes = facts.how === 'retargeted' && { changes: { ref: { from: 'develop' } } }
    // It still lists the labels that were cleared.
    const described = likeGithub(facts.how === 'cleared' ? { ...facts, labels: ['preview'] } : facts, user)
    const name = facts.how in event ? event[facts.how as keyof typeof event] : 'pull_request'
    return { event: name, payload: { action, ...described, ...changes } }
  },
  comment: (text, author) => ({
    event: 'pull_request_comment',
    payload: { ...commentLikeGithub(text, author), is_pull: true },
  }),
}

const gitlab: RuledHost = {
  name: 'GitLab',
  dialect: named('GitLab'),
  hasLabels: true,
  pullRequest: (change) => {
    const { how, labels, isDraft, isBot, target, sha, time } = factsOf(change)
    const all = labels.map((title, index) => ({ id: index + 1, title, color: '#00aabb', type: 'ProjectLabel' }))
    const changes = {
      ...(how === 'labelled' && { labels: { previous: [], current: all } }),
      ...(how === 'cleared' && { labels: { previous: [{ id: 1, title: 'preview' }], current: [] } }),
      ...(how === 'readied' && { draft: { previous: true, current: false } }),
      ...(how === 'retargeted' && { target_branch: { previous: 'develop', current: target } }),
    }
    const action = how === 'opened' ? 'open' : how === 'closed' ? 'close' : 'update'
    return {
      event: 'Merge Request Hook',
      payload: {
        object_kind: 'merge_request',
        event_type: 'merge_request',
        user: { id: 2, username: isBot ? 'project_1_bot_1f2e3d' : 'ada' },
        project: { id: 1, path_with_namespace: 'acme/app' },
        object_attributes: {
          iid: 7,
          action,
          title: 'Add a feature',
          url: 'https://git.example.com/acme/app/-/merge_requests/7',
          source_branch: 'feature',
          target_branch: target,
          source_project_id: 1,
          target_project_id: 1,
          source: { path_with_namespace: 'acme/app' },
          last_commit: { id: sha },
          draft: isDraft,
          work_in_progress: isDraft,
          state: 'opened',
          updated_at: time
            .toISOString()
            .replace('T', ' ')
            .replace(/\.\d+Z/, ' UTC'),
        },
        labels: all,
        changes,
      },
    }
  },
  comment: (text, author) => ({
    event: 'Note Hook',
    payload: {
      object_kind: 'note',
      event_type: 'note',
      user: { id: 5, username: author },
      project: { id: 1, path_with_namespace: 'acme/app' },
      object_attributes: { id: 9, note: text, noteable_type: 'MergeRequest', author_id: 5, action: 'create' },
      merge_request: { id: 99, iid: 7 },
    },
  }),
}

const CLOUD_REPOSITORY = { type: 'repository', uuid: '{1}', full_name: 'acme/app' }

const bitbucket: RuledHost = {
  name: 'Bitbucket Cloud',
  dialect: named('Bitbucket Cloud'),
  hasLabels: false,
  pullRequest: (change) => {
    const { how, isDraft, isBot, target, sha, time } = factsOf(change)
    const events: Readonly<Record<string, string>> = { opened: 'created', closed: 'rejected' }
    const side = (name: string) => ({
      branch: { name },
      commit: { hash: sha.slice(0, 12) },
      repository: CLOUD_REPOSITORY,
    })
    return {
      event: `pullrequest:${events[how] ?? 'updated'}`,
      payload: {
        repository: CLOUD_REPOSITORY,
        actor: { type: 'user', uuid: '{ada}', nickname: 'ada' },
        pullrequest: {
          id: 7,
          title: 'Add a feature',
          state: 'OPEN',
          draft: isDraft,
          author: isBot
            ? { type: 'app_user', uuid: '{bot}', display_name: 'Renovate' }
            : { type: 'user', uuid: '{ada}', nickname: 'ada' },
          links: { html: { href: 'https://bitbucket.org/acme/app/pull-requests/7' } },
          source: side('feature'),
          destination: side(target),
          updated_on: time.toISOString().replace('Z', '+00:00'),
        },
      },
    }
  },
  comment: (text, author) => ({
    event: 'pullrequest:comment_created',
    payload: {
      repository: CLOUD_REPOSITORY,
      actor: { type: 'user', uuid: `{${author}}`, nickname: author },
      pullrequest: { id: 7 },
      comment: { id: 17, content: { raw: text, markup: 'markdown' } },
    },
  }),
}

const dataCenter: RuledHost = {
  name: 'Bitbucket Data Center',
  dialect: named('Bitbucket Data Center'),
  hasLabels: false,
  pullRequest: (change) => {
    const { how, isDraft, isBot, target, sha, time } = factsOf(change)
    const events = { opened: 'opened', updated: 'from_ref_updated', closed: 'declined' }
    const ref = (name: string) => ({
      id: `refs/heads/${name}`,
      displayId: name,
      latestCommit: sha,
      repository: { id: 1, slug: 'app' },
    })
    const event = `pr:${how in events ? events[how as keyof typeof events] : 'modified'}`
    const user = isBot ? { name: 'renovate', id: 3, type: 'SERVICE' } : { name: 'ada', id: 2, type: 'NORMAL' }
    return {
      event,
      payload: {
        eventKey: event,
        actor: { name: 'ada', id: 2, type: 'NORMAL' },
        pullRequest: {
          id: 7,
          title: 'Add a feature',
          state: 'OPEN',
          draft: isDraft,
          updatedDate: time.getTime(),
          fromRef: ref('feature'),
          toRef: ref(target),
          author: { user },
          links: { self: [{ href: 'https://git.example.com/projects/ACME/repos/app/pull-requests/7' }] },
        },
        ...(event === 'pr:modified' && { previousTarget: { displayId: 'develop' } }),
      },
    }
  },
  comment: (text, author) => ({
    event: 'pr:comment:added',
    payload: {
      eventKey: 'pr:comment:added',
      actor: { name: author, id: 5, type: 'NORMAL' },
      pullRequest: { id: 7, toRef: { displayId: 'main', repository: { id: 1, slug: 'app' } } },
      comment: { id: 62, text },
    },
  }),
}

export const ruledHosts: readonly RuledHost[] = [github, gitlab, gitea, bitbucket, dataCenter]
