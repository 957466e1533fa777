// The REST API of Gitea and Forgejo.
import { z } from 'zod'
import { isBuiltInAccount } from '../../domain/repository/bot-accounts.ts'
import type { ReportedCheck } from '../../domain/repository/commit-checks.ts'
import { fieldOf, listOf } from '../../domain/repository/reported-values.ts'
import type { ApiDialect } from './api-dialect.ts'
import { github, readPullRequest } from './github.ts'

const STATES = { queued: 'pending', running: 'pending', succeeded: 'success', failed: 'failure', canceled: 'error' }

export const gitea: ApiDialect = {
  baseOf: (host) => `https://${host}/api/v1`,
  authorization: (token) => ({ authorization: `token ${token}` }),
  firstPage: 1,
  listOpen: (repository, page) => ({
    method: 'GET',
    path: `/repos/${repository}/pulls?state=open&limit=50&page=${page}`,
  }),
  readOpen: (answer) =>
    z
      .array(z.unknown())
      .parse(answer)
      .map((reported) => readPullRequest(reported, isBuiltInAccount)),
  nextPage: (_, { start, length }) => (length === 0 ? undefined : start + 1),
  setStatus: (repository, { sha, state, context, description, url }) => ({
    method: 'POST',
    path: `/repos/${repository}/statuses/${sha}`,
    body: { state: STATES[state], context, description, target_url: url },
  }),
  listComments: (repository, number) => ({ method: 'GET', path: `/repos/${repository}/issues/${number}/comments` }),
  readComments: github.readComments,
  createComment: github.createComment,
  updateComment: github.updateComment,
  readId: github.readId,
  getPermission: github.getPermission,
  readPermission: github.readPermission,
  checkLists: [
    (repository, sha, page) => ({
      method: 'GET',
      path: `/repos/${repository}/commits/${sha}/status?limit=50&page=${page}`,
    }),
  ],
  hasShortCheckPages: true,
  readChecks: (answer) =>
    // Without any, older versions answer with null.
    (Statuses.parse(answer).statuses ?? []).map(({ context, status }) => ({
      name: context,
      state: CHECK_STATES[status] ?? 'pending',
    })),
  required: {
    list: (repository, branch) => [
      { method: 'GET', path: `/repos/${repository}/branches/${encodeURIComponent(branch)}` },
    ],
    read: (answer) =>
      fieldOf(answer, 'enable_status_check') === true
        ? listOf(fieldOf(answer, 'status_check_contexts')).filter((name) => typeof name === 'string')
        : [],
  },
}

const Statuses = z.object({ statuses: z.array(z.object({ context: z.string(), status: z.string() })).nullish() })

const CHECK_STATES: Readonly<Record<string, ReportedCheck['state']>> = {
  success: 'green',
  warning: 'green',
  skipped: 'green',
  failure: 'red',
  error: 'red',
}
