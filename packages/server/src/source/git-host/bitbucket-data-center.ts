// The REST API of Bitbucket Data Center, version 7.4 and newer: the token is an HTTP access token of the project or the repository.
import { z } from 'zod'
import { isServiceUser } from '../../domain/repository/bot-accounts.ts'
import type { ReportedCheck } from '../../domain/repository/commit-checks.ts'
import type { ReportedPullRequest } from '../../domain/repository/pull-request-facts.ts'
import { fieldOf, listOf } from '../../domain/repository/reported-values.ts'
import type { ApiDialect } from './api-dialect.ts'

const STATES = {
  queued: 'INPROGRESS',
  running: 'INPROGRESS',
  succeeded: 'SUCCESSFUL',
  failed: 'FAILED',
  canceled: 'CANCELLED',
}

const CHECK_STATES: Readonly<Record<string, ReportedCheck['state']>> = {
  SUCCESSFUL: 'green',
  FAILED: 'red',
  CANCELLED: 'red',
}
/** Data Center's limit for keys and descriptions. */
const MOST_CHARACTERS = 255

export const bitbucketDataCenter: ApiDialect = {
  baseOf: (host, repository) => `https://${host}${locate(repository).context}/rest/api/latest`,
  authorization: (token) => ({ authorization: `Bearer ${token}` }),
  firstPage: 0,
  listOpen: (repository, start) => ({
    method: 'GET',
    path: `${pathOf(repository)}/pull-requests?state=OPEN&limit=100&start=${start}`,
  }),
  readOpen: (answer) => Page.parse(answer).values.map(readPullRequest),
  nextPage: (answer, { start }) => {
    const { isLastPage, nextPageStart } = Page.parse(answer)
    if (isLastPage) return undefined
    if (nextPageStart == null || nextPageStart <= start)
      throw new Error('Bitbucket does not say where the list goes on')
    return nextPageStart
  },
  setStatus: (repository, { sha, state, context, description, url }) => ({
    method: 'POST',
    path: `${pathOf(repository)}/commits/${sha}/builds`,
    body: {
      key: context.slice(0, MOST_CHARACTERS),
      name: context.slice(0, MOST_CHARACTERS),
      state: STATES[state],
      description: description.slice(0, MOST_CHARACTERS),
      url,
    },
  }),
  // Comments themselves can only be listed for single files.
  listComments: (repository, number) => ({
    method: 'GET',
    path: `${pullRequestOf(repository, number)}/activities?limit=500`,
  }),
  readComments: (answer) =>
    listOf(fieldOf(answer, 'values')).flatMap((activity) => {
      const { success, data } = Comment.safeParse(fieldOf(activity, 'comment'))
      return success ? [{ id: String(data.id), text: data.text }] : []
    }),
  createComment: (repository, number, text) => ({
    method: 'POST',
    path: `${pullRequestOf(repository, number)}/comments`,
    body: { text },
  }),
  getComment: (repository, number, id) => ({
    method: 'GET',
    path: `${pullRequestOf(repository, number)}/comments/${id}`,
  }),
  updateComment: (repository, number, { id, text }, present) => ({
    method: 'PUT',
    path: `${pullRequestOf(repository, number)}/comments/${id}`,
    // Data Center refuses a change without the current version.
    body: { text, version: z.object({ version: z.int() }).parse(present).version },
  }),
  // The list is an API beside the others.
  checkLists: [
    (_, sha, page) => ({
      method: 'GET',
      path: `/../../build-status/latest/commits/${sha}?limit=100&start=${(page - 1) * 100}`,
    }),
  ],
  readChecks: (answer) =>
    z
      .object({ values: z.array(z.object({ key: z.string(), name: z.string().nullish(), state: z.string() })) })
      .parse(answer)
      .values.map(({ key, name, state }) => ({ name: name || key, state: CHECK_STATES[state] ?? 'pending' })),
  readId: (answer) => String(z.object({ id: z.int() }).parse(answer).id),
  // Users that may push in the end, by groups and by the project, too. The filter also finds parts of names.
  getPermission: (repository, { name: account }) => {
    const { project, name } = locate(repository)
    const of = `permission.1=REPO_WRITE&permission.1.projectKey=${encodeURIComponent(project)}`
    const path = `/users?filter=${encodeURIComponent(account)}&${of}&permission.1.repositorySlug=${encodeURIComponent(name)}`
    return { method: 'GET', path: `${path}&limit=100` }
  },
  readPermission: (answer, { name }) =>
    listOf(fieldOf(answer, 'values')).some(
      (user) => fieldOf(user, 'name') === name && fieldOf(user, 'active') !== false,
    ),
}

const Page = z.object({ values: z.array(z.unknown()), isLastPage: z.boolean(), nextPageStart: z.int().nullish() })
const Comment = z.object({ id: z.int(), text: z.string() })

const pathOf = (repository: string): string => {
  const { project, name } = locate(repository)
  return `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(name)}`
}

const pullRequestOf = (repository: string, number: number): string => `${pathOf(repository)}/pull-requests/${number}`

/** `{project}/{name}` over ssh, `scm/{project}/{name}` over https, after the path of the installation if it has one. */
function locate(repository: string): { readonly context: string; readonly project: string; readonly name: string } {
  const parts = repository.split('/')
  const [project = '', name = ''] = parts.slice(-2)
  const before = parts.slice(0, -2)
  const context = before.at(-1) === 'scm' ? before.slice(0, -1) : []
  return { context: context.map((part) => `/${encodeURIComponent(part)}`).join(''), project, name }
}

function readPullRequest(reported: unknown): ReportedPullRequest {
  const [from, to] = [fieldOf(reported, 'fromRef'), fieldOf(reported, 'toRef')]
  const repositoryId = (side: unknown): unknown => fieldOf(side, 'repository', 'id')
  return {
    number: fieldOf(reported, 'id'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(listOf(fieldOf(reported, 'links', 'self'))[0], 'href'),
    author: fieldOf(reported, 'author', 'user', 'name'),
    branch: fieldOf(from, 'displayId'),
    headSha: fieldOf(from, 'latestCommit'),
    headRepository: fieldOf(from, 'repository', 'slug'),
    isFork: !Number.isSafeInteger(repositoryId(from)) || repositoryId(from) !== repositoryId(to),
    isDraft: fieldOf(reported, 'draft'),
    targetBranch: fieldOf(to, 'displayId'),
    labels: null,
    isBot: isServiceUser(fieldOf(reported, 'author', 'user')),
    updatedAt: fieldOf(reported, 'updatedDate'),
  }
}
