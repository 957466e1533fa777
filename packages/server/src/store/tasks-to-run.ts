// Everything that the runner needs to know of a task. Not seen through an actor: whoever queued it was asked then.
import type { Recipe } from '@shipway/api/projects'
import type { TaskKind } from '@shipway/api/tasks'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

export type TaskToRun = {
  readonly id: number
  readonly kind: TaskKind
  /** Asked for by whoever started it, or found out by the run before. */
  readonly commitSha: string | null
  readonly branch: string
  readonly recipe: Recipe
  readonly environment: {
    readonly id: number
    readonly name: string
    readonly type: 'pull_request' | 'manual'
    readonly domain: string
  }
  readonly project: {
    readonly id: number
    readonly domain: string
    readonly customDomains: readonly string[]
    readonly repoUrl: string
    readonly hookId: string
    readonly publicKey: string
    readonly privateKeySealed: string
    readonly repositoryHostKey: string | null
  }
  readonly server: {
    readonly id: number
    readonly name: string
    readonly connection: 'ssh' | 'local'
    readonly hostname: string
    readonly port: number
    readonly unixUser: string
    readonly hostKey: string | null
  }
  /** The newest deployment of this environment that succeeded before this task. */
  readonly live: { readonly taskId: number; readonly commitSha: string } | null
}

export async function findTaskToRun(db: Kysely<Tables>, id: number): Promise<TaskToRun | undefined> {
  const { rows } = await sql<Row>`
    select t.id, t.kind, t.commit_sha, coalesce(t.branch, e.branch) as branch, coalesce(e.recipe, p.default_recipe) as recipe,
      e.id as environment_id, e.name as environment_name, e.type, d.domain,
      p.id as project_id, p.domain as project_domain, p.custom_domains, p.repo_url, p.hook_id, p.repository_public_key,
      p.repository_private_key_sealed, p.repository_host_key,
      s.id as server_id, s.name as server_name, s.connection, s.hostname, s.port, s.unix_user, s.host_key,
      l.id as live_id, l.commit_sha as live_sha
    from tasks t
    join environments e on e.id = t.environment_id
    join projects p on p.id = e.project_id
    join servers s on s.id = e.server_id
    left join domains d on d.environment_id = e.id and d.service = ''
    left join tasks l on l.id = (
      select max(o.id) from tasks o where o.environment_id = e.id and o.id < t.id and o.status = 'succeeded'
        and o.kind in ('deploy', 'reset'))
    where t.id = ${id}`.execute(db)
  return rows[0] && toTaskToRun(rows[0])
}

type Row = {
  readonly id: number
  readonly kind: TaskKind
  readonly commit_sha: string | null
  readonly branch: string
  readonly recipe: Recipe
  readonly environment_id: number
  readonly environment_name: string
  readonly type: 'pull_request' | 'manual'
  readonly domain: string | null
  readonly project_id: number
  readonly project_domain: string
  readonly custom_domains: string
  readonly repo_url: string
  readonly hook_id: string
  readonly repository_public_key: string
  readonly repository_private_key_sealed: string
  readonly repository_host_key: string | null
  readonly server_id: number
  readonly server_name: string
  readonly connection: 'ssh' | 'local'
  readonly hostname: string
  readonly port: number
  readonly unix_user: string
  readonly host_key: string | null
  readonly live_id: number | null
  readonly live_sha: string | null
}

function toTaskToRun(row: Row): TaskToRun {
  return {
    id: row.id,
    kind: row.kind,
    commitSha: row.commit_sha,
    branch: row.branch,
    recipe: row.recipe,
    environment: { id: row.environment_id, name: row.environment_name, type: row.type, domain: row.domain ?? '' },
    project: {
      id: row.project_id,
      domain: row.project_domain,
      customDomains: JSON.parse(row.custom_domains),
      repoUrl: row.repo_url,
      hookId: row.hook_id,
      publicKey: row.repository_public_key,
      privateKeySealed: row.repository_private_key_sealed,
      repositoryHostKey: row.repository_host_key,
    },
    server: {
      id: row.server_id,
      name: row.server_name,
      connection: row.connection,
      hostname: row.hostname,
      port: row.port,
      unixUser: row.unix_user,
      hostKey: row.host_key,
    },
    live: row.live_id !== null && row.live_sha !== null ? { taskId: row.live_id, commitSha: row.live_sha } : null,
  }
}
