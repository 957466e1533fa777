// The REST API of Bitbucket Cloud.
import { z } from 'zod'
import type { ApiDialect } from './dialect.ts'

const STATES = {
  queued: 'INPROGRESS',
  running: 'INPROGRESS',
  succeeded: 'SUCCESSFUL',
  failed: 'FAILED',
  canceled: 'STOPPED',
}
/** What Bitbucket takes of a key. */
const MOST_KEY_CHARACTERS = 40

const commentsOf = (repository: string, number: number): string =>
  `/repositories/${repository}/pullrequests/${number}/comments`

export const bitbucket: ApiDialect = {
  // Bitbucket Data Center does not answer to this; but its token is for nobody else to see.
  baseOf: (host) =>
    host === 'bitbucket.org' || host === 'altssh.bitbucket.org'
      ? 'https://api.bitbucket.org/2.0'
      : `https://${host}/rest/api/latest`,
  authorization: (token) => ({ authorization: `Bearer ${token}` }),
  pageSize: 50,
  listOpen: (repository, page) => ({
    method: 'GET',
    path: `/repositories/${repository}/pullrequests?state=OPEN&pagelen=50&page=${page}`,
  }),
  readOpen: (answer) =>
    z
      .object({ values: z.array(PullRequest) })
      .parse(answer)
      .values.map((told) => ({
        number: told.id,
        title: told.title,
        url: told.links?.html?.href ?? null,
        author: told.author?.nickname ?? null,
        branch: told.source.branch.name,
        headSha: told.source.commit.hash,
        headRepository: told.source.repository?.full_name ?? null,
        isFork: !told.source.repository?.uuid || told.source.repository.uuid !== told.destination.repository?.uuid,
        isDraft: told.draft === true,
        targetBranch: told.destination.branch.name,
        updatedAt: Date.parse(told.updated_on),
      })),
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
  readId: (answer) => String(z.object({ id: z.int() }).parse(answer).id),
}

const Side = z.object({
  branch: z.object({ name: z.string() }),
  commit: z.object({ hash: z.string() }),
  repository: z.object({ uuid: z.string().optional(), full_name: z.string().optional() }).nullish(),
})
const PullRequest = z.object({
  id: z.int(),
  title: z.string(),
  draft: z.boolean().nullish(),
  author: z.object({ nickname: z.string().optional() }).nullish(),
  links: z.object({ html: z.object({ href: z.string() }).optional() }).nullish(),
  source: Side,
  destination: Side.extend({ commit: z.unknown().optional() }),
  updated_on: z.string(),
})
