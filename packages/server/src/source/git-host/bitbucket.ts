// The REST API of Bitbucket Cloud.
import { z } from 'zod'
import { isAppUser } from '../../domain/repository/bot-accounts.ts'
import type { ReportedCheck } from '../../domain/repository/commit-checks.ts'
import type { ReportedPullRequest } from '../../domain/repository/pull-request-facts.ts'
import { fieldOf, listOf } from '../../domain/repository/reported-values.ts'
import type { ApiDialect } from './api-dialect.ts'

const STATES = {
  queued: 'INPROGRESS',
  running: 'INPROGRESS',
  succeeded: 'SUCCESSFUL',
  failed: 'FAILED',
  canceled: 'STOPPED',
}

const CHECK_STATES: Readonly<Record<string, ReportedCheck['state']>> = {
  SUCCESSFUL: 'green',
  FAILED: 'red',
  STOPPED: 'red',
}
/** Bitbucket's limit for keys. */
const MOST_KEY_CHARACTERS = 40

const commentsOf = (repository: string, number: number): string =>
  `/repositories/${repository}/pullrequests/${number}/comments`

/** Any other host is Data Center: its token must not be sent to Bitbucket Cloud. */
export const isBitbucketCloud = (host: string): boolean => host === 'bitbucket.org' || host === 'altssh.bitbucket.org'

export const bitbucket: ApiDialect = {
  baseOf: () => 'https://api.bitbucket.org/2.0',
  authorization: (token) => ({ authorization: `Bearer ${token}` }),
  firstPage: 1,
  listOpen: (repository, page) => ({
    method: 'GET',
    path: `/repositories/${repository}/pullrequests?state=OPEN&pagelen=50&page=${page}`,
  }),
  readOpen: (answer) =>
    z
      .object({ values: z.array(z.unknown()) })
      .parse(answer)
      .values.map(readPullRequest),
  nextPage: (answer, { start }) => (fieldOf(answer, 'next') === undefined ? undefined : start + 1),
  setStatus: (repository, { sha, state, context, description, url }) => ({
    method: 'POST',
    path: `/repositories/${repository}/commit/${sha}/statuses/build`,
    body: { key: context.slice(0, MOST_KEY_CHARACTERS), name: context, state: STATES[state], description, url },
  }),
  listComments: (repository, number) => ({ method: 'GET', path: `${commentsOf(repository, number)}?pagelen=100` }),
  readComments: (answer) =>
    z
      .object({ values: z.array(z.object({ id: z.int(), content: z.object({ raw: z.string() }) })) })
      .parse(answer)
      .values.map(({ id, content }) => ({ id: String(id), text: content.raw })),
  createComment: (repository, number, text) => ({
    method: 'POST',
    path: commentsOf(repository, number),
    body: { content: { raw: text } },
  }),
  updateComment: (repository, number, { id, text }) => ({
    method: 'PUT',
    path: `${commentsOf(repository, number)}/${id}`,
    body: { content: { raw: text } },
  }),
  checkLists: [
    (repository, sha, page) => ({
      method: 'GET',
      path: `/repositories/${repository}/commit/${sha}/statuses?pagelen=100&page=${page}`,
    }),
  ],
  readChecks: (answer) =>
    z
      .object({ values: z.array(z.object({ key: z.string(), name: z.string().nullish(), state: z.string() })) })
      .parse(answer)
      .values.map(({ key, name, state }) => ({ name: name || key, state: CHECK_STATES[state] ?? 'pending' })),
  commits: {
    find: (repository, sha) => ({ method: 'GET', path: `/repositories/${repository}/commit/${sha}` }),
    readHash: (answer) => fieldOf(answer, 'hash'),
  },
  readId: (answer) => String(z.object({ id: z.int() }).parse(answer).id),
  // What an account may do in the end, by groups and projects, too. The token needs the scope account.
  getPermission: (repository, { id }) => {
    const [workspace = '', name = ''] = repository.split('/')
    if (id === null) return undefined
    const query = encodeURIComponent(`user.uuid="${id}"`)
    const path = `/workspaces/${encodeURIComponent(workspace)}/permissions/repositories/${encodeURIComponent(name)}`
    return { method: 'GET', path: `${path}?q=${query}` }
  },
  readPermission: (answer, { id }) =>
    listOf(fieldOf(answer, 'values')).some(
      (entry) =>
        fieldOf(entry, 'user', 'uuid') === id && ['write', 'admin'].includes(String(fieldOf(entry, 'permission'))),
    ),
}

function readPullRequest(reported: unknown): ReportedPullRequest {
  const [source, destination] = [fieldOf(reported, 'source'), fieldOf(reported, 'destination')]
  const repositoryId = (side: unknown): unknown => fieldOf(side, 'repository', 'uuid')
  return {
    number: fieldOf(reported, 'id'),
    title: fieldOf(reported, 'title'),
    url: fieldOf(reported, 'links', 'html', 'href'),
    author: fieldOf(reported, 'author', 'nickname'),
    branch: fieldOf(source, 'branch', 'name'),
    headSha: fieldOf(source, 'commit', 'hash'),
    headRepository: fieldOf(source, 'repository', 'full_name'),
    isFork: !repositoryId(source) || repositoryId(source) !== repositoryId(destination),
    isDraft: fieldOf(reported, 'draft'),
    targetBranch: fieldOf(destination, 'branch', 'name'),
    labels: null,
    isBot: isAppUser(fieldOf(reported, 'author')),
    updatedAt: fieldOf(reported, 'updated_on'),
  }
}
