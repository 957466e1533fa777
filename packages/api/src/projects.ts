// Projects: a repository, a base domain, and the servers that its environments run on.
import { z } from 'zod'
import { RepositoryName } from './connections.ts'
import { IdParams, PageQuery } from './page.ts'
import { Person } from './people.ts'
import { addedLater } from './read-other-release.ts'
import { route } from './route.ts'
import { ServerName } from './servers.ts'
import { BasicAuth } from './values/basic-auth.ts'
import { Branch } from './values/branch.ts'
import { CheckName, MOST_CHECK_NAMES } from './values/check-name.ts'
import { Hostname } from './values/hostname.ts'
import { Id, Time } from './values/ids.ts'
import { Lifetime } from './values/lifetime.ts'
import { Name } from './values/name.ts'
import { DEFAULT_PULL_REQUEST_RULES, PullRequestChanges, PullRequestRules } from './values/pull-request-rules.ts'
import { ManualRecipe, Recipe } from './values/recipe.ts'
import { RepositoryAddress, RepositoryHost } from './values/repository-address.ts'
import { rule } from './values/rule.ts'
import { ServiceFile } from './values/service-file.ts'

export const Tls = z.enum(['off', 'certificate', 'automatic'])
export type Tls = z.infer<typeof Tls>
export const ForkPullRequests = z.enum(['off', 'approval'])
export type ForkPullRequests = z.infer<typeof ForkPullRequests>
const DeployAfter = z.enum(['checks'])
const ServerIds = z.array(Id).min(1, 'Choose at least one server').max(50)
/** Never shown; sent to the git host in a header. */
const HostToken = z
  .string()
  .check(rule('invalid_token', 'Give the token as the git host shows it, without spaces', isHeaderText))

function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]{1,1000}$/.test(text)
}

const CustomDomains = z.array(Hostname).max(50)

export const Project = z.object({
  id: Id,
  name: z.string(),
  repo_url: z.string(),
  domain: z.string(),
  environment_count: z.int(),
  servers: z.array(ServerName),
  organization_id: Id,
  repository_host: RepositoryHost.describe(
    'Software of the git host: gitea is Forgejo too, bitbucket is Cloud and Data Center. Guessed from its name until the first genuine delivery shows it.',
  ),
  default_recipe: Recipe,
  environment_limit: z.int(),
  default_branch: z.string(),
  custom_domains: z.array(z.string()),
  basic_auth: z.object({ username: z.string() }).nullable(),
  tls: Tls,
  owner: Person,
  status: z.enum(['active', 'deleting']),
  status_reason: z.string().nullable().describe('Why a project that is being deleted is still there'),
  has_host_token: z.boolean().describe('Whether the platform may use the API of the git host'),
  fork_pull_requests: ForkPullRequests,
  repository_key: z.string().describe('The public half of the key that reads the repository'),
  webhook_url: z.string(),
  created_at: Time,
  environments_used: z
    .int()
    .describe('How many places of the limit are taken: an environment of a fork that was never approved takes none'),
  expire_after: z
    .string()
    .nullable()
    .describe(
      'How long environments of pull requests stay after their last deployment, in hours or days: `12h`, `7d`. Null: until the pull ' +
        'request ends',
    ),
  deploy_after: DeployAfter.nullable().describe('Null: pushes are deployed at once'),
  deploy_after_checks: z.array(z.string()),
  deploy_after_minutes: z.int().nullable(),
  upload_variables: z.boolean().describe('Also for environments of `shipway up`'),
  manual_recipe: ManualRecipe.describe(
    'Whether an owner of the organization lets this project use the manual recipe, which runs commands of the repository on the server',
  ),
  connection_id: Id.nullable().describe('Null: a user adds the key and the webhook at the git host'),
  repository_access: z
    .object({
      status: z.enum(['pending', 'ready', 'failing']),
      reason: z.string().nullable().describe('Why it fails, and what to do'),
      proven_at: Time.nullable(),
    })
    .nullable()
    .describe('Of the deploy key and the webhook that the platform keeps at a connected git host'),
  pull_requests: addedLater(PullRequestRules, DEFAULT_PULL_REQUEST_RULES).describe(
    'Which pull requests get an environment. `expire_after` is the one above',
  ),
  pull_requests_file: z
    .object({
      commit_sha: z.string(),
      rules: z.record(z.string(), z.unknown()).describe('Fields of `pull_requests`'),
      fault: z.string().nullable().describe('What is wrong with the section; the rules are the last valid ones'),
    })
    .nullable()
    .describe('What `.service.yml` of the default branch says: it wins field by field. Null until it was read'),
  service_file_digest: z.string().nullable().describe('SHA-256 of `service_file`'),
  effective_rules: z
    .array(z.object({ field: z.string(), value: z.unknown(), from: z.enum(['file', 'settings']) }))
    .describe('The fields of `pull_requests` and `deploy_after` as they apply: of `.service.yml` or of these settings'),
})
export type Project = z.infer<typeof Project>

export const Webhook = z.object({
  url: z.string(),
  secret: z.string(),
  signing_token: z
    .string()
    .nullable()
    .describe('For GitLab, which can sign with a token of this form in place of the secret'),
})
export type Webhook = z.infer<typeof Webhook>

export const Delivery = z.object({
  id: Id,
  delivery_id: z.string(),
  event: z.string(),
  verdict: z
    .enum(['stored', 'accepted', 'duplicate', 'ignored', 'failed', 'refused'])
    .describe('`stored` while it waits to take effect, `failed` where it could not, however often it was tried'),
  reason: z.string().nullable(),
  detail: z.string().nullable().describe('The reason as a sentence, where a rule about pull requests decided'),
  received_at: Time,
  pull_request: z.int().nullable().describe('The number of the pull request of the event'),
  branch: z.string().nullable().describe('The branch of the event; the first one if there are several'),
  environment: z
    .object({ id: Id, name: z.string() })
    .nullable()
    .describe('The environment that it was about; of several, the first'),
  hint: z.string().nullable().describe('What to do where it looks like a delivery of another git host'),
})
export type Delivery = z.infer<typeof Delivery>

export const WaitingPullRequest = z.object({
  number: z.int(),
  title: z.string(),
  url: z.string().nullable(),
  author: z.string().nullable(),
  branch: z.string(),
  head_sha: z.string(),
  waiting_since: Time,
  reason: z
    .enum([
      'environment_limit_reached',
      'environment_removing',
      'domain_taken',
      'pull_requests_off',
      'target_branch_excluded',
      'bot_author',
      'draft',
      'label_missing',
      'paths_unchanged',
      'stopped_by_comment',
    ])
    .nullable()
    .describe('What it waits for, or which rule gives it no environment; null where its turn is next'),
  detail: z.string().nullable().describe('The same as a sentence, which says what to do'),
})
export type WaitingPullRequest = z.infer<typeof WaitingPullRequest>

export const NewProject = z.strictObject({
  name: Name,
  repo_url: RepositoryAddress.optional(),
  connection_id: Id.optional(),
  repository: RepositoryName.optional(),
  domain: Hostname,
  server_ids: ServerIds,
  organization_id: Id.optional(),
  repository_host: RepositoryHost.optional(),
  default_branch: Branch.optional().describe("Left out: the connected git host's own, else main"),
  default_recipe: Recipe.default('docker'),
  manual_recipe: ManualRecipe.optional(),
  custom_domains: CustomDomains.default([]),
  tls: Tls.default('off'),
  basic_auth: BasicAuth.optional(),
  fork_pull_requests: ForkPullRequests.default('off'),
  pull_requests: PullRequestChanges.optional(),
  service_file: ServiceFile.optional(),
})
export type NewProject = z.infer<typeof NewProject>
/** As it is sent: what has a default may be left out. */
export type NewProjectBody = z.input<typeof NewProject>

export const ProjectChanges = z.strictObject({
  name: Name.optional(),
  repo_url: RepositoryAddress.optional(),
  domain: Hostname.optional(),
  server_ids: ServerIds.optional(),
  repository_host: RepositoryHost.optional(),
  default_branch: Branch.optional(),
  default_recipe: Recipe.optional(),
  manual_recipe: ManualRecipe.optional(),
  custom_domains: CustomDomains.optional(),
  tls: Tls.optional(),
  basic_auth: BasicAuth.nullable().optional(),
  fork_pull_requests: ForkPullRequests.optional(),
  host_token: HostToken.nullable().optional(),
  environment_limit: z.int().min(1).max(1000).optional(),
  owner_id: Id.optional(),
  expire_after: Lifetime.nullable().optional(),
  pull_requests: PullRequestChanges.optional(),
  deploy_after: DeployAfter.nullable().optional(),
  deploy_after_checks: z.array(CheckName).max(MOST_CHECK_NAMES).optional(),
  upload_variables: z.boolean().optional(),
  deploy_after_minutes: z.int().min(1).max(1440).nullable().optional(),
  service_file: ServiceFile.nullable().optional(),
})
export type ProjectChanges = z.infer<typeof ProjectChanges>

export const projectRoutes = {
  listProjects: route({
    method: 'GET',
    path: '/api/projects',
    summary: 'Projects, newest first',
    description: 'Those of all your organizations, or of the one in the header.',
    permission: 'read',
    scope: 'read',
    query: PageQuery,
    success: 200,
    answer: z.array(Project),
  }),
  createProject: route({
    method: 'POST',
    path: '/api/projects',
    summary: 'Make a project; its webhook secret is shown this once',
    description:
      '`organization_id` may be left out where the caller has one organization, or names it in the header. `default_recipe: manual` and ' +
      '`manual_recipe: allowed` are for owners of the organization; the first implies the second. With `connection_id` and `repository` ' +
      '(`owner/name`) in place of `repo_url`, the platform adds the deploy key and the webhook itself. ' +
      '`service_file` is for commits without `.service.yml`.',
    permission: 'administer',
    scope: 'admin',
    body: NewProject,
    success: 201,
    answer: Project.extend({ webhook: Webhook }),
    errors: ['git_host_failed'],
  }),
  getProject: route({
    method: 'GET',
    path: '/api/projects/{id}',
    summary: 'One project',
    description: 'Its settings; secrets are left out.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Project,
  }),
  getServiceFile: route({
    method: 'GET',
    path: '/api/projects/{id}/service-file',
    summary: 'The `.service.yml` of the settings of a project',
    description: 'For commits that have none.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: z.object({ content: z.string().nullable() }),
  }),
  updateProject: route({
    method: 'PATCH',
    path: '/api/projects/{id}',
    summary: 'Change a project',
    description:
      'A repository on another host gets a new repository key and webhook secret, shown this once. ' +
      '`environment_limit` is for platform administrators. `host_token`, for the API of the git host, is never shown; null removes it. ' +
      '`pull_requests` changes the fields that it names. ' +
      '`service_file`, without `pull_requests` and `deploy_after`, is for commits that have no `.service.yml`; null removes it. ' +
      '`expire_after` (`1h` to `365d`, null: never) removes environments of pull requests that were not deployed for so long, unless sticky or protected; a change removes nothing within a day. `manual_recipe` is for owners of the organization: ' +
      '`allowed` lets administrators choose the manual recipe; `off` is refused while it is in use.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    body: ProjectChanges,
    success: 200,
    answer: Project.extend({ webhook: Webhook.optional() }),
    errors: ['project_deleting', 'in_use'],
  }),
  deleteProject: route({
    method: 'DELETE',
    path: '/api/projects/{id}',
    summary: 'Delete a project once each environment is removed from its server',
    description:
      'Protected environments need `{"confirm_protected": true}`. A server that does not answer keeps the project `deleting`, and is tried again. Where it is gone for good, `{"abandon_servers": true}`, by the owner of the project or organization, removes environments whose removal failed from the records alone.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    body: z
      .strictObject({ confirm_protected: z.boolean().optional(), abandon_servers: z.boolean().optional() })
      .optional(),
    success: 202,
    answer: Project,
    errors: ['confirmation_required', 'project_deleting'],
  }),
  regenerateWebhookSecret: route({
    method: 'POST',
    path: '/api/projects/{id}/webhook-secret',
    summary: 'Make a new webhook secret, shown this once',
    description: 'The earlier secret stays valid until the first delivery that is signed with the new one.',
    permission: 'own_project',
    scope: 'admin',
    params: IdParams,
    success: 201,
    answer: Webhook,
    errors: ['project_deleting'],
  }),
  regenerateRepositoryKey: route({
    method: 'POST',
    path: '/api/projects/{id}/repository-key',
    summary: 'Make a new repository key; add its public half to the git host',
    description: 'The old key is forgotten at once: add the new one before the next deployment.',
    permission: 'administer',
    scope: 'admin',
    params: IdParams,
    success: 201,
    answer: z.object({ repository_key: z.string(), fingerprint: z.string() }),
  }),
  listWaitingPullRequests: route({
    method: 'GET',
    path: '/api/projects/{id}/waiting',
    summary: 'Pull requests that wait for an environment, in the order in which they get one',
    description: '`reason` and `detail` say what each waits for. Those that a rule gives no environment come last.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(WaitingPullRequest),
  }),
  listDeliveries: route({
    method: 'GET',
    path: '/api/projects/{id}/deliveries',
    summary: 'The last webhook deliveries and what came of each',
    description: 'Refused deliveries are among them, with the reason.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(Delivery),
  }),
}
