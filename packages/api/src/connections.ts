// Connections of an organization to git hosts: by an access token, or by a GitHub App. Credentials are write-only.
import { z } from 'zod'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { Branch } from './values/branch.ts'
import { HostUrl } from './values/host-url.ts'
import { Id, Time } from './values/ids.ts'
import { Name } from './values/name.ts'
import { Recipe } from './values/recipe.ts'
import type { RepositoryHost } from './values/repository-address.ts'
import { rule } from './values/rule.ts'

export const ConnectionType = z.enum(['github_app', 'gitlab', 'gitea', 'forgejo', 'bitbucket', 'bitbucket_server'])
export type ConnectionType = z.infer<typeof ConnectionType>

/** What each type is: the software of its git host, and the address that it has where none is given; null where one is needed. */
export const CONNECTION_TYPES: Readonly<
  Record<ConnectionType, { readonly host: RepositoryHost; readonly title: string; readonly baseUrl: string | null }>
> = {
  github_app: { host: 'github', title: 'GitHub', baseUrl: 'https://github.com' },
  gitlab: { host: 'gitlab', title: 'GitLab', baseUrl: 'https://gitlab.com' },
  gitea: { host: 'gitea', title: 'Gitea', baseUrl: null },
  forgejo: { host: 'gitea', title: 'Forgejo', baseUrl: null },
  bitbucket: { host: 'bitbucket', title: 'Bitbucket Cloud', baseUrl: null },
  bitbucket_server: { host: 'bitbucket', title: 'Bitbucket Data Center', baseUrl: null },
}

export const ConnectionStatus = z
  .enum(['pending', 'active', 'failing', 'suspended', 'removed'])
  .describe('`pending` until a GitHub App is installed; `suspended` and `removed` are said by GitHub')
export type ConnectionStatus = z.infer<typeof ConnectionStatus>

/** Sent to the git host in a header. */
const HostToken = z
  .string()
  .check(
    rule('invalid_token', 'Give the token as the git host shows it, without spaces', (text) =>
      /^[\x21-\x7e]{1,1000}$/.test(text),
    ),
  )

export const GitConnection = z.object({
  id: Id,
  organization_id: Id,
  type: ConnectionType,
  name: z.string(),
  base_url: z.string(),
  account: z.string().nullable().describe('Whose token it is, or whom the App is installed for'),
  has_token: z.boolean(),
  app: z.object({ id: z.int(), slug: z.string(), installation_id: z.int().nullable() }).nullable(),
  status: ConnectionStatus,
  status_reason: z.string().nullable().describe('Why it does not work, and what to do'),
  project_count: z.int(),
  checked_at: Time.nullable().describe('When the git host last confirmed the credentials'),
  created_at: Time,
  updated_at: Time,
})
export type GitConnection = z.infer<typeof GitConnection>

export const NewConnection = z.strictObject({
  type: ConnectionType,
  name: Name,
  base_url: HostUrl.optional(),
  token: HostToken.optional(),
})
export type NewConnection = z.infer<typeof NewConnection>

export const ConnectionChanges = z.strictObject({
  name: Name.optional(),
  token: HostToken.optional(),
  private_key: z.string().min(1).max(20_000).optional().describe('A key that GitHub generated for the App, as PEM'),
})
export type ConnectionChanges = z.infer<typeof ConnectionChanges>

export const ConnectedRepository = z.object({
  full_name: z.string(),
  default_branch: z.string().nullable().describe('Null while it is empty'),
  private: z.boolean(),
  url: z.string(),
})
export type ConnectedRepository = z.infer<typeof ConnectedRepository>

/** How a repository is named at its git host: `owner/name`, or more levels where the host has groups. */
export const RepositoryName = z
  .string()
  .check(
    rule(
      'invalid_repository',
      'Give the name as the git host shows it, such as owner/name',
      (text) =>
        /^(?=.{3,400}$)[A-Za-z0-9_~][A-Za-z0-9._~+-]*(\/[A-Za-z0-9_.][A-Za-z0-9._~+-]*)+$/.test(text) &&
        !text.split('/').some((part) => part === '.' || part === '..'),
    ),
  )

export const RepositoryReading = z.object({
  branches: z.array(z.string()),
  service_file: z.enum(['present', 'missing']),
  content: z.string(),
  recipe: Recipe,
  findings: z.array(
    z.object({
      kind: z.enum(['fault', 'note', 'later']),
      file: z.string(),
      line: z.number(),
      message: z.string(),
    }),
  ),
})
export type RepositoryReading = z.infer<typeof RepositoryReading>

const administered = { permission: 'administer', scope: 'admin' } as const

export const connectionRoutes = {
  listConnections: route({
    method: 'GET',
    path: '/api/organizations/{id}/connections',
    summary: 'Connections of an organization to git hosts',
    description: 'Each with its state. Credentials are never shown.',
    ...administered,
    params: IdParams,
    success: 200,
    answer: z.array(GitConnection),
  }),
  createConnection: route({
    method: 'POST',
    path: '/api/organizations/{id}/connections',
    summary: 'Connect a git host',
    description:
      'The token is tried at once. `base_url` is needed for gitea, forgejo, bitbucket (`https://bitbucket.org/{workspace}`) and ' +
      'bitbucket_server. A `github_app` takes no token: it is `pending` until GitHub has made and installed the App. At most 20.',
    ...administered,
    params: IdParams,
    body: NewConnection,
    success: 201,
    answer: GitConnection,
    errors: ['in_use', 'git_host_failed'],
  }),
  getConnection: route({
    method: 'GET',
    path: '/api/connections/{id}',
    summary: 'One connection',
    description: 'Credentials are never shown.',
    ...administered,
    params: IdParams,
    success: 200,
    answer: GitConnection,
  }),
  updateConnection: route({
    method: 'PATCH',
    path: '/api/connections/{id}',
    summary: 'Rename a connection, or replace its token or key',
    description: 'A new token is tried at once; if the git host refuses it, the earlier one stays.',
    ...administered,
    params: IdParams,
    body: ConnectionChanges,
    success: 200,
    answer: GitConnection,
    errors: ['git_host_failed'],
  }),
  deleteConnection: route({
    method: 'DELETE',
    path: '/api/connections/{id}',
    summary: 'Delete a connection that no project uses',
    description: 'Projects that use it are named in the error. Revoke its token at the git host afterwards.',
    ...administered,
    params: IdParams,
    success: 204,
    errors: ['in_use'],
  }),
  checkConnection: route({
    method: 'POST',
    path: '/api/connections/{id}/check',
    summary: 'Try the credentials of a connection',
    description:
      '`status` and `status_reason` show the result. They stay as they were if the git host cannot be asked now, or limits ' +
      'requests.',
    ...administered,
    params: IdParams,
    success: 200,
    answer: GitConnection,
    errors: ['git_host_failed'],
  }),
  listConnectionRepositories: route({
    method: 'GET',
    path: '/api/connections/{id}/repositories',
    summary: 'Repositories that a connection can use',
    description:
      'The git host is asked, after at most 15 seconds for each page. At most 200; `search` finds the others.',
    ...administered,
    params: IdParams,
    query: z.object({ search: z.string().max(200).optional() }),
    success: 200,
    answer: z.array(ConnectedRepository),
    errors: ['git_host_failed'],
  }),
  readConnectionRepository: route({
    method: 'GET',
    path: '/api/connections/{id}/repository',
    summary: 'Read a repository before a project exists',
    description: '`content` is its `.service.yml`, else the suggested one.',
    ...administered,
    params: IdParams,
    query: z.object({ repository: RepositoryName, branch: Branch }),
    success: 200,
    answer: RepositoryReading,
    errors: ['git_host_failed'],
  }),
}
