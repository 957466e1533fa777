// Rows of projects, visible only through the caller's organizations. Sealed values stay in the row.
import type { ManualRecipe, Recipe } from '@shipway/api/values/recipe'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { type Insertable, type Kysely, type RawBuilder, sql, type Updateable } from 'kysely'
import { type Actor, organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import { DEFAULT_RULES, type FileRules, type PullRequestRules } from '../../domain/repository/pull-request-rules.ts'
import type { Change } from '../change.ts'
import { insertAccessRemoval } from '../connections/access-removals.ts'
import { SLOTS_USED } from '../environments/slots-used.ts'
import { notifyOfProject } from '../implied-events.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'
import { listServersOfProjects, type ProjectServer } from './project-servers.ts'

export type Project = {
  readonly id: number
  readonly organizationId: number
  readonly owner: { readonly id: number; readonly name: string }
  readonly name: string
  readonly repoUrl: string
  readonly repositoryHost: RepositoryHost
  readonly domain: string
  readonly customDomains: readonly string[]
  readonly defaultBranch: string
  readonly defaultRecipe: Recipe
  /** The consent of an owner of the organization. */
  readonly manualRecipe: ManualRecipe
  readonly environmentLimit: number
  readonly tls: 'off' | 'certificate' | 'automatic'
  readonly forkPullRequests: 'off' | 'approval'
  readonly basicAuthUsername: string | null
  /** The opaque part of the webhook's address. Secrets of the project are sealed to it. */
  readonly hookId: string
  readonly repositoryPublicKey: string
  readonly isDeleting: boolean
  /** Why it is still there, where a removal has failed. */
  readonly statusReason: string | null
  /** Whether the platform may use the API of the git host. */
  readonly hasHostToken: boolean
  readonly createdAt: number
  readonly environmentCount: number
  readonly environmentsUsed: number
  /** Of environments of pull requests, after their last deployment. */
  readonly expireAfterHours: number | null
  /** What pushes and pull requests wait for before they are deployed; null: nothing. */
  readonly deployAfter: 'checks' | null
  readonly deployAfterChecks: readonly string[]
  readonly deployAfterMinutes: number | null
  /** Environments of `shipway up` get its variables. */
  readonly uploadVariables: boolean
  /** Null: a user adds the key and the webhook at the git host. */
  readonly connectionId: number | null
  /** Of the deploy key and webhook that the platform keeps at a connected git host. */
  readonly repositoryAccess: { readonly error: string | null; readonly provenAt: number | null } | null
  /** The project's settings; the file of the default branch wins over them. */
  readonly pullRequestRules: PullRequestRules
  readonly fileRules: FileRules
  /** Of the `.service.yml` of its settings, for commits that have none; null: it has none. */
  readonly serviceFileDigest: string | null
  readonly servers: readonly ProjectServer[]
}

export async function findProject(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Project | undefined> {
  const condition = sql`p.id = ${id} and p.organization_id in (${sql.join(organizationsOf(actor))})`
  return (await selectProjects(db, condition))[0]
}

/** Without an organization: for platform administrators, who set limits of all projects. */
export async function findProjectAnywhere(db: Kysely<Tables>, id: number): Promise<Project | undefined> {
  return (await selectProjects(db, sql`p.id = ${id}`))[0]
}

export async function listProjects(db: Kysely<Tables>, actor: Actor, page: PageRequest): Promise<Page<Project>> {
  const before = page.before ?? Number.MAX_SAFE_INTEGER
  const organizations = sql.join(organizationsOf(actor))
  const projects = await selectProjects(
    db,
    sql`p.organization_id in (${organizations}) and p.id < ${before} order by p.id desc limit ${page.limit + 1}`,
  )
  return pageOf(projects, page)
}

/** Locks the row until the transaction ends, so that changes of one project and its environments follow each other. */
export async function lockProject(db: Kysely<Tables>, id: number): Promise<void> {
  await sql`update projects set id = id where id = ${id}`.execute(db)
}

export async function insertProject(tx: Change, values: Insertable<Tables['projects']>): Promise<number> {
  const { id } = await tx.insertInto('projects').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'project', id, how: 'created' })
  return id
}

export async function updateProject(tx: Change, id: number, values: Updateable<Tables['projects']>): Promise<void> {
  await tx.updateTable('projects').set(values).where('id', '=', id).execute()
  tx.notify({ about: 'project', id, how: 'updated' })
  await notifyOfProject(tx, id, values)
}

/** The secret in use becomes the earlier one. Its sealed text moves as it is, so it still opens as the first column's. */
export async function updateWebhookSecret(
  tx: Change,
  id: number,
  { sealed, at }: { sealed: string; at: number },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set((eb) => ({
      earlier_webhook_secret_sealed: eb.ref('webhook_secret_sealed'),
      webhook_secret_sealed: sealed,
      updated_at: at,
    }))
    .where('id', '=', id)
    .execute()
  tx.notify({ about: 'project', id, how: 'updated' })
}

export async function deleteProject(tx: Change, id: number): Promise<void> {
  await deleteAndNotify(tx, id, sql`true`)
}

/** Its servers show how many projects have them. */
async function deleteAndNotify(tx: Change, id: number, condition: RawBuilder<unknown>): Promise<void> {
  const servers = await tx.selectFrom('project_servers').where('project_id', '=', id).select('server_id').execute()
  const isDeleted = await sql`select 1 from projects where id = ${id} and ${condition}`.execute(tx)
  if (isDeleted.rows.length > 0) await insertAccessRemoval(tx, id)
  const { rows } = await sql<{ organization_id: number }>`
    delete from projects where id = ${id} and ${condition} returning organization_id`.execute(tx)
  const [deleted] = rows
  if (!deleted) return
  tx.notify({ about: 'project', id, how: 'deleted', organizationId: deleted.organization_id })
  for (const { server_id } of servers) tx.notify({ about: 'server', id: server_id, how: 'updated' })
}

/** The key that the git host showed at the first connection. */
export async function updateRepositoryHostKey(tx: Change, id: number, hostKey: string): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ repository_host_key: hostKey })
    .where('id', '=', id)
    .where('repository_host_key', 'is', null)
    .execute()
  tx.notify({ about: 'project', id, how: 'updated' })
}

export async function listDeletingProjects(db: Kysely<Tables>): Promise<readonly number[]> {
  const rows = await db.selectFrom('projects').where('deleting_since', 'is not', null).select('id').execute()
  return rows.map(({ id }) => id)
}

/** A project that is being deleted goes with its last environment. */
export async function deleteProjectIfDrained(tx: Change, id: number): Promise<void> {
  const isDrained = sql`deleting_since is not null
    and not exists (select 1 from environments where project_id = ${id} and removed_at is null)`
  await deleteAndNotify(tx, id, isDrained)
}

type Row = {
  readonly id: number
  readonly organization_id: number
  readonly owner_id: number
  readonly owner_name: string
  readonly name: string
  readonly repo_url: string
  readonly repository_host: RepositoryHost
  readonly domain: string
  readonly custom_domains: string
  readonly default_branch: string
  readonly default_recipe: Recipe
  readonly manual_recipe: ManualRecipe
  readonly environment_limit: number
  readonly tls: Project['tls']
  readonly fork_pull_requests: Project['forkPullRequests']
  readonly basic_auth_username: string | null
  readonly hook_id: string
  readonly repository_public_key: string
  readonly deleting_since: number | null
  readonly status_reason: string | null
  readonly has_host_token: 0 | 1
  readonly created_at: number
  readonly environment_count: number
  readonly environments_used: number
  readonly expire_after_hours: number | null
  readonly deploy_after: 'checks' | null
  readonly deploy_after_checks: string
  readonly deploy_after_minutes: number | null
  readonly upload_variables: 0 | 1
  readonly connection_id: number | null
  readonly access_id: number | null
  readonly access_error: string | null
  readonly access_proven_at: number | null
  readonly pull_request_rules: string
  readonly file_rules: string
  readonly file_rules_sha: string | null
  readonly is_file_rules_stale: 0 | 1
  readonly file_rules_fault: string | null
  readonly service_file_digest: string | null
}

/** The message of the step that failed last. */
const WHY_REMOVAL_FAILED = sql`
  select s.message from steps s join tasks t on t.id = s.task_id join environments e on e.id = t.environment_id
  where e.project_id = p.id and e.removed_at is null and ${whereKind('t', 'removesEnvironment')} and t.status = 'failed' and s.status = 'failed'
  order by s.id desc limit 1`

async function selectProjects(db: Kysely<Tables>, condition: RawBuilder<unknown>): Promise<Project[]> {
  const { rows } = await sql<Row>`
    select p.id, p.organization_id, p.owner_id, u.name as owner_name, p.name, p.repo_url, p.repository_host, p.domain,
      p.custom_domains, p.default_branch, p.default_recipe, p.manual_recipe, p.environment_limit, p.tls, p.fork_pull_requests,
      p.basic_auth_username, p.hook_id, p.repository_public_key, p.deleting_since, p.created_at, p.expire_after_hours,
      p.connection_id, a.id as access_id, a.last_error as access_error, a.proven_at as access_proven_at,
      p.pull_request_rules, p.file_rules, p.file_rules_sha, p.is_file_rules_stale, p.file_rules_fault,
      f.digest as service_file_digest,
      p.deploy_after, p.deploy_after_checks, p.deploy_after_minutes, p.upload_variables,
      case when p.host_token_sealed is null and p.connection_id is null then 0 else 1 end as has_host_token,
      case when p.deleting_since is null then null else (${WHY_REMOVAL_FAILED}) end as status_reason,
      (select count(*) from environments e where e.project_id = p.id and e.removed_at is null) as environment_count,
      (${SLOTS_USED}) as environments_used
    from projects p
    join users u on u.id = p.owner_id
    left join repository_access a on a.project_id = p.id
    left join service_files f on f.project_id = p.id
    where ${condition}`.execute(db)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return []
  const organizationIds = [...new Set(rows.map((row) => row.organization_id))]
  const servers = await listServersOfProjects(db, { organizationIds, from: last.id, to: first.id })
  return rows.map((row) => toProject(row, servers.get(row.id) ?? []))
}

function toProject(row: Row, servers: readonly ProjectServer[]): Project {
  return {
    id: row.id,
    organizationId: row.organization_id,
    owner: { id: row.owner_id, name: row.owner_name },
    name: row.name,
    repoUrl: row.repo_url,
    repositoryHost: row.repository_host,
    domain: row.domain,
    customDomains: row.custom_domains === '[]' ? [] : JSON.parse(row.custom_domains),
    defaultBranch: row.default_branch,
    defaultRecipe: row.default_recipe,
    manualRecipe: row.manual_recipe,
    environmentLimit: row.environment_limit,
    tls: row.tls,
    forkPullRequests: row.fork_pull_requests,
    basicAuthUsername: row.basic_auth_username,
    hookId: row.hook_id,
    repositoryPublicKey: row.repository_public_key,
    isDeleting: row.deleting_since !== null,
    statusReason: row.status_reason,
    hasHostToken: row.has_host_token === 1,
    createdAt: row.created_at,
    environmentCount: row.environment_count,
    environmentsUsed: row.environments_used,
    expireAfterHours: row.expire_after_hours,
    deployAfter: row.deploy_after,
    deployAfterChecks: row.deploy_after_checks === '[]' ? [] : JSON.parse(row.deploy_after_checks),
    deployAfterMinutes: row.deploy_after_minutes,
    uploadVariables: row.upload_variables === 1,
    connectionId: row.connection_id,
    repositoryAccess: row.access_id === null ? null : { error: row.access_error, provenAt: row.access_proven_at },
    // Written by `updateProject` and `refreshFileRules` in these shapes.
    pullRequestRules: { ...DEFAULT_RULES, ...JSON.parse(row.pull_request_rules) },
    fileRules: {
      rules: JSON.parse(row.file_rules),
      sha: row.file_rules_sha,
      isStale: row.is_file_rules_stale === 1,
      fault: row.file_rules_fault,
    },
    serviceFileDigest: row.service_file_digest,
    servers,
  }
}

/** By id. The caller may see all of them. */
export async function listProjectNames(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('projects')
    .where('id', 'in', [...new Set(ids)])
    .select(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
