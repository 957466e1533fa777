// Gitea and Forgejo: an access token with `write:repository`, `write:issue` and `read:user`, of an administrator of the repositories.
import { z } from 'zod'
import { fieldOf } from '../../../domain/repository/reported-values.ts'
import { gitea as reports } from '../gitea.ts'
import type { ConnectedDialect, FoundRepository, WantedWebhook } from './connected-dialect.ts'

const EVENTS = ['push', 'pull_request', 'pull_request_sync', 'pull_request_label', 'pull_request_comment'] as const

const repositoryOf = (name: string): string => `/repos/${name.split('/').map(encodeURIComponent).join('/')}`

export const gitea: ConnectedDialect = {
  apiOf: (baseUrl) => `${baseUrl}/api/v1`,
  authorization: reports.authorization,
  whoAmI: {
    call: { method: 'GET', path: '/user' },
    read: (answer) => {
      const { id, login } = z.object({ id: z.int(), login: z.string() }).parse(answer)
      return { id: String(id), name: login }
    },
  },
  hasTokensWithoutUser: false,
  firstPage: 1,
  // An administrator can lower the page size, so only an empty page is the last one.
  nextPage: (_, { start, length }) => (length === 0 ? undefined : start + 1),
  searchesByAccount: true,
  search: ({ text, start, accountId }) => ({
    method: 'GET',
    path: `/repos/search?uid=${accountId}&archived=false&sort=updated&order=desc&limit=50&page=${start}&q=${encodeURIComponent(text)}`,
  }),
  readSearch: (answer) =>
    z
      .object({ data: z.array(Repository).nullable() })
      .parse(answer)
      .data?.map(toRepository) ?? [],
  getRepository: (name) => ({ method: 'GET', path: repositoryOf(name) }),
  readRepository: (answer) => toRepository(Repository.parse(answer)),
  keys: {
    list: (name, start) => ({ method: 'GET', path: `${repositoryOf(name)}/keys?limit=50&page=${start}` }),
    read: (answer) =>
      z
        .array(z.object({ id: z.int(), key: z.string(), read_only: z.boolean() }))
        .parse(answer)
        .map(({ id, key, read_only }) => ({ id: String(id), publicKey: key, isReadOnly: read_only })),
    add: (name, { title, publicKey }) => ({
      method: 'POST',
      path: `${repositoryOf(name)}/keys`,
      body: { title, key: publicKey, read_only: true },
    }),
    remove: (name, id) => ({ method: 'DELETE', path: `${repositoryOf(name)}/keys/${id}` }),
  },
  webhooks: {
    list: (name, start) => ({ method: 'GET', path: `${repositoryOf(name)}/hooks?limit=50&page=${start}` }),
    read: (answer) =>
      z
        .array(Hook)
        .parse(answer)
        .map((hook) => ({
          id: String(hook.id),
          url: String(fieldOf(hook, 'config', 'url')),
          isHealthy: isHealthy(hook),
        })),
    add: (name, webhook) => ({
      method: 'POST',
      path: `${repositoryOf(name)}/hooks`,
      body: { type: 'gitea', ...bodyOf(webhook) },
    }),
    update: (name, id, webhook) => ({
      method: 'PATCH',
      path: `${repositoryOf(name)}/hooks/${id}`,
      body: bodyOf(webhook),
    }),
    remove: (name, id) => ({ method: 'DELETE', path: `${repositoryOf(name)}/hooks/${id}` }),
  },
}

const bodyOf = ({ url, secret }: WantedWebhook) => ({
  active: true,
  events: EVENTS,
  config: { url, content_type: 'json', secret },
})

const Repository = z.object({
  id: z.int(),
  full_name: z.string(),
  default_branch: z.string().nullish(),
  empty: z.boolean().optional(),
  private: z.boolean(),
  html_url: z.string(),
  ssh_url: z.string().nullish(),
})

const toRepository = (repository: z.infer<typeof Repository>): FoundRepository => ({
  id: String(repository.id),
  fullName: repository.full_name,
  defaultBranch: repository.empty ? null : repository.default_branch || null,
  isPrivate: repository.private,
  url: repository.html_url,
  sshAddress: repository.ssh_url || null,
})

const Hook = z.object({
  id: z.int(),
  active: z.boolean(),
  events: z.array(z.string()).nullable(),
  config: z.unknown(),
})

/** Some versions list the events of pull requests as one. */
const isHealthy = ({ active, events }: z.infer<typeof Hook>): boolean =>
  active && (events?.includes('push') ?? false) && (events?.some((event) => event.startsWith('pull_request')) ?? false)
