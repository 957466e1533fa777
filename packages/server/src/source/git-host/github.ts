// The REST API of GitHub and of GitHub Enterprise.
import { z } from 'zod'
import type { PullRequestFacts } from '../../domain/repository-event.ts'
import type { ApiDialect } from './dialect.ts'

const STATES = { queued: 'pending', running: 'pending', succeeded: 'success', failed: 'failure', canceled: 'error' }
const DEPLOYMENT_STATES = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'success',
  failed: 'failure',
  canceled: 'inactive',
}
/** What GitHub takes of a description. */
const MOST_CHARACTERS = 140

export const github: ApiDialect = {
  baseOf: (host) =>
    host === 'github.com' || host === 'ssh.github.com' ? 'https://api.github.com' : `https://${host}/api/v3`,
  authorization: (token) => ({
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  pageSize: 100,
  listOpen: (repository, page) => ({
    method: 'GET',
    path: `/repos/${repository}/pulls?state=open&per_page=100&page=${page}`,
  }),
  readOpen: (answer) => z.array(PullRequest).parse(answer).map(factsOf),
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
  deployments: {
    create: (repository, { sha, environment, isTransient, description }) => ({
      method: 'POST',
      path: `/repos/${repository}/deployments`,
      body: {
        ref: sha,
        environment,
        description: description.slice(0, MOST_CHARACTERS),
        // The commit is deployed as it is, whatever else looks at it.
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
  },
}

const Comment = z.object({ id: z.int(), body: z.string().nullish() })
const Side = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ id: z.int(), full_name: z.string().optional() }).nullish(),
})
/** Gitea's is alike. */
export const PullRequest = z.object({
  number: z.int(),
  title: z.string(),
  html_url: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  head: Side,
  base: Side,
  draft: z.boolean().nullish(),
  updated_at: z.string(),
})

export function factsOf(told: z.infer<typeof PullRequest>): PullRequestFacts {
  const { head, base } = told
  return {
    number: told.number,
    title: told.title,
    url: told.html_url ?? null,
    author: told.user?.login ?? null,
    branch: head.ref,
    headSha: head.sha,
    headRepository: head.repo?.full_name ?? null,
    isFork: head.repo?.id === undefined || head.repo.id !== base.repo?.id,
    isDraft: told.draft === true,
    targetBranch: base.ref,
    updatedAt: Date.parse(told.updated_at),
  }
}
