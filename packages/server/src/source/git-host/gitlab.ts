// The REST API of GitLab.
import { z } from 'zod'
import { isGitlabBot } from '../../domain/repository/bot-accounts.ts'
import type { ReportedCheck } from '../../domain/repository/commit-checks.ts'
import type { ReportedPullRequest } from '../../domain/repository/pull-request-facts.ts'
import { fieldOf } from '../../domain/repository/reported-values.ts'
import type { ApiDialect } from './api-dialect.ts'

const STATES = { queued: 'pending', running: 'running', succeeded: 'success', failed: 'failed', canceled: 'canceled' }

const CHECK_STATES: Readonly<Record<string, ReportedCheck['state']>> = {
  success: 'green',
  skipped: 'green',
  failed: 'red',
  canceled: 'red',
}

const projectOf = (repository: string): string => `/projects/${encodeURIComponent(repository)}`
const notesOf = (repository: string, number: number): string =>
  `${projectOf(repository)}/merge_requests/${number}/notes`

export const gitlab: ApiDialect = {
  baseOf: (host) => `https://${host}/api/v4`,
  authorization: (token) => ({ 'private-token': token }),
  firstPage: 1,
  listOpen: (repository, page) => ({
    method: 'GET',
    path: `${projectOf(repository)}/merge_requests?state=opened&per_page=100&page=${page}`,
  }),
  readOpen: (answer) => z.array(z.unknown()).parse(answer).map(readPullRequest),
  nextPage: (_, { start, length }) => (length < 100 ? undefined : start + 1),
  setStatus: (repository, { sha, state, context, description, url }) => ({
    method: 'POST',
    path: `${projectOf(repository)}/statuses/${sha}`,
    body: { state: STATES[state], name: context, description, target_url: url },
  }),
  listComments: (repository, number) => ({ method: 'GET', path: `${notesOf(repository, number)}?per_page=100` }),
  readComments: (answer) =>
    z
      .array(z.object({ id: z.int(), body: z.string() }))
      .parse(answer)
      .map(({ id, body }) => ({ id: String(id), text: body })),
  createComment: (repository, number, text) => ({
    method: 'POST',
    path: notesOf(repository, number),
    body: { body: text },
  }),
  updateComment: (repository, number, { id, text }) => ({
    method: 'PUT',
    path: `${notesOf(repository, number)}/${id}`,
    body: { body: text },
  }),
  checkLists: [
    (repository, sha, page) => ({
      method: 'GET',
      path: `${projectOf(repository)}/repository/commits/${sha}/statuses?per_page=100&page=${page}`,
    }),
  ],
  readChecks: (answer) =>
    z
      .array(z.object({ name: z.string(), status: z.string(), allow_failure: z.boolean().nullish() }))
      .parse(answer)
      .map(({ name, status, allow_failure }) => ({
        name,
        // A job that may fail, or that a person would have to start, holds nothing up.
        state:
          allow_failure && status !== 'running' && status !== 'pending' ? 'green' : (CHECK_STATES[status] ?? 'pending'),
      })),
  readId: (answer) => String(z.object({ id: z.int() }).parse(answer).id),
  // Members by groups are among them.
  getPermission: (repository, { id }) =>
    id === null ? undefined : { method: 'GET', path: `${projectOf(repository)}/members/all/${encodeURIComponent(id)}` },
  readPermission: (answer) => {
    const [level, state] = [fieldOf(answer, 'access_level'), fieldOf(answer, 'state') ?? 'active']
    return typeof level === 'number' && level >= DEVELOPER && state === 'active'
  },
}

/** The least role that may push. */
const DEVELOPER = 30

function readPullRequest(reported: unknown): ReportedPullRequest {
  const source = fieldOf(reported, 'source_project_id')
  return {
    number: fieldOf(reported, 'iid'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(reported, 'web_url'),
    author: fieldOf(reported, 'author', 'username'),
    branch: fieldOf(reported, 'source_branch'),
    headSha: fieldOf(reported, 'sha'),
    headRepository: null,
    isFork: !Number.isSafeInteger(source) || source !== fieldOf(reported, 'target_project_id'),
    isDraft: fieldOf(reported, 'draft'),
    targetBranch: fieldOf(reported, 'target_branch'),
    labels: fieldOf(reported, 'labels'),
    isBot: isGitlabBot(fieldOf(reported, 'author', 'username')),
    updatedAt: fieldOf(reported, 'updated_at'),
  }
}
