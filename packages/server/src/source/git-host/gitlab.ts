// The REST API of GitLab.
import { z } from 'zod'
import type { ApiDialect } from './dialect.ts'

const STATES = { queued: 'pending', running: 'running', succeeded: 'success', failed: 'failed', canceled: 'canceled' }

const projectOf = (repository: string): string => `/projects/${encodeURIComponent(repository)}`
const notesOf = (repository: string, number: number): string =>
  `${projectOf(repository)}/merge_requests/${number}/notes`

export const gitlab: ApiDialect = {
  baseOf: (host) => `https://${host}/api/v4`,
  authorization: (token) => ({ 'private-token': token }),
  pageSize: 100,
  listOpen: (repository, page) => ({
    method: 'GET',
    path: `${projectOf(repository)}/merge_requests?state=opened&per_page=100&page=${page}`,
  }),
  readOpen: (answer) =>
    z
      .array(MergeRequest)
      .parse(answer)
      .map((told) => ({
        number: told.iid,
        title: told.title,
        url: told.web_url ?? null,
        author: told.author?.username ?? null,
        branch: told.source_branch,
        headSha: told.sha,
        headRepository: null,
        isFork: !Number.isSafeInteger(told.source_project_id) || told.source_project_id !== told.target_project_id,
        isDraft: told.draft === true,
        targetBranch: told.target_branch,
        updatedAt: Date.parse(told.updated_at),
      })),
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
  readId: (answer) => String(z.object({ id: z.int() }).parse(answer).id),
}

const MergeRequest = z.object({
  iid: z.int(),
  title: z.string(),
  web_url: z.string().nullish(),
  author: z.object({ username: z.string() }).nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
  sha: z.string(),
  draft: z.boolean().nullish(),
  updated_at: z.string(),
})
