// The REST API of GitHub and of GitHub Enterprise.
import { z } from 'zod'
import { isMarkedBot } from '../../domain/repository/bot-accounts.ts'
import { gitHubApiOf } from '../../domain/repository/github-addresses.ts'
import type { ReportedPullRequest } from '../../domain/repository/pull-request-facts.ts'
import { fieldOf, listOf } from '../../domain/repository/reported-values.ts'
import type { ApiDialect } from './api-dialect.ts'
import { githubCheckRuns } from './github-check-runs.ts'
import { githubChecks } from './github-checks.ts'

const STATES = { queued: 'pending', running: 'pending', succeeded: 'success', failed: 'failure', canceled: 'error' }
const DEPLOYMENT_STATES = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'success',
  failed: 'failure',
  canceled: 'inactive',
}
/** GitHub's limit for descriptions. */
const MOST_CHARACTERS = 140
/** Each takes a request. */
const MOST_ENDED = 30

export const github: ApiDialect = {
  baseOf: (host) => gitHubApiOf(`https://${host === 'ssh.github.com' ? 'github.com' : host}`),
  authorization: (token) => ({
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  firstPage: 1,
  listOpen: (repository, page) => ({
    method: 'GET',
    path: `/repos/${repository}/pulls?state=open&per_page=100&page=${page}`,
  }),
  readOpen: (answer) =>
    z
      .array(z.unknown())
      .parse(answer)
      .map((reported) => readPullRequest(reported)),
  nextPage: (_, { start, length }) => (length < 100 ? undefined : start + 1),
  setStatus: (repository, { sha, state, context, description, url }) => ({
    method: 'POST',
    path: `/repos/${repository}/statuses/${sha}`,
    body: { state: STATES[state], context, description: description.slice(0, MOST_CHARACTERS), target_url: url },
  }),
  listComments: (repository, number) => ({
    method: 'GET',
    path: `/repos/${repository}/issues/${number}/comments?per_page=100`,
  }),
  readComments: (answer) =>
    z
      .array(Comment)
      .parse(answer)
      .map(({ id, body }) => ({ id: String(id), text: body ?? '' })),
  createComment: (repository, number, text) => ({
    method: 'POST',
    path: `/repos/${repository}/issues/${number}/comments`,
    body: { body: text },
  }),
  updateComment: (repository, _, { id, text }) => ({
    method: 'PATCH',
    path: `/repos/${repository}/issues/comments/${id}`,
    body: { body: text },
  }),
  readId: (answer) => String(z.object({ id: z.int() }).parse(answer).id),
  getPermission: (repository, { name }) => ({
    method: 'GET',
    path: `/repos/${repository}/collaborators/${encodeURIComponent(name)}/permission`,
  }),
  // `maintain` appears as `write` here; `owner` is Gitea's.
  readPermission: (answer) => ['admin', 'write', 'owner'].includes(String(fieldOf(answer, 'permission'))),
  ...githubChecks,
  checkRuns: githubCheckRuns,
  deployments: {
    create: (repository, { sha, environment, isTransient, description }) => ({
      method: 'POST',
      path: `/repos/${repository}/deployments`,
      body: {
        ref: sha,
        environment,
        description: description.slice(0, MOST_CHARACTERS),
        // Deploys exactly this commit, without merging and without waiting for other checks.
        auto_merge: false,
        required_contexts: [],
        transient_environment: isTransient,
      },
    }),
    setState: (repository, id, { state, environmentUrl, url, description }) => ({
      method: 'POST',
      path: `/repos/${repository}/deployments/${id}/statuses`,
      body: {
        state: DEPLOYMENT_STATES[state],
        environment_url: environmentUrl,
        log_url: url,
        description: description.slice(0, MOST_CHARACTERS),
      },
    }),
    // Earlier ones of a transient environment stay active until they are ended.
    listOf: (repository, environment) => ({
      method: 'GET',
      path: `/repos/${repository}/deployments?environment=${encodeURIComponent(environment)}&per_page=${MOST_ENDED}`,
    }),
    readIds: (answer) =>
      z
        .array(z.object({ id: z.int() }))
        .parse(answer)
        .map(({ id }) => String(id)),
    setInactive: (repository, id) => ({
      method: 'POST',
      path: `/repos/${repository}/deployments/${id}/statuses`,
      body: { state: 'inactive', description: 'The environment was removed' },
    }),
  },
}

const Comment = z.object({ id: z.int(), body: z.string().nullish() })

/** Also used for Gitea, whose format is the same. */
export function readPullRequest(reported: unknown, isBot = isMarkedBot): ReportedPullRequest {
  const [head, base] = [fieldOf(reported, 'head'), fieldOf(reported, 'base')]
  const repositoryId = (side: unknown): unknown => fieldOf(side, 'repo', 'id')
  return {
    number: fieldOf(reported, 'number'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(reported, 'html_url'),
    author: fieldOf(reported, 'user', 'login'),
    branch: fieldOf(head, 'ref'),
    headSha: fieldOf(head, 'sha'),
    headRepository: fieldOf(head, 'repo', 'full_name'),
    isFork: !Number.isSafeInteger(repositoryId(head)) || repositoryId(head) !== repositoryId(base),
    isDraft: fieldOf(reported, 'draft'),
    targetBranch: fieldOf(base, 'ref'),
    labels: listOf(fieldOf(reported, 'labels')).map((label) => fieldOf(label, 'name')),
    isBot: isBot(fieldOf(reported, 'user')),
    updatedAt: fieldOf(reported, 'updated_at'),
  }
}
