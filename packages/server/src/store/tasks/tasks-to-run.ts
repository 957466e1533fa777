// Everything that the runner needs to know about a task. Without an actor: permissions were checked when it was queued.
import type { TaskCause, TaskKind } from '@shipway/api/tasks'
import type { Recipe } from '@shipway/api/values/recipe'
import { ISOLATED_RECIPE } from '@shipway/api/values/recipe-facts'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { ComposeLimits } from '@shipway/rules/compose/model'
import { type Kysely, sql } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import { KEPT_RELEASES } from '../../domain/tasks/task-orphans.ts'
import { addressColumns, type ServerAddressRow, toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'
import { wasTakenAway } from './task-facts.ts'
import { whereKind } from './task-kinds.ts'

export type TaskToRun = {
  readonly id: number
  readonly kind: TaskKind
  /** The name of the action that it is a run of. */
  readonly action: string | null
  /** Words of a one-off command as sealed JSON, and the service that its caller named. */
  readonly commandSealed: string | null
  readonly service: string | null
  readonly cause: TaskCause
  /** Requested at the start, or resolved by an earlier run; null: the newest commit of the branch. */
  readonly commitSha: string | null
  /** The commit in the git host's event, if that event is why the newest commit is deployed. */
  readonly reportedSha: string | null
  /** A fork's commit was approved; a commit of the repository itself was deployed here before; an upload is stored. */
  readonly isCommitAdmitted: boolean
  readonly branch: string
  /** The recipe that it started with, whatever the settings are by now. */
  readonly recipe: Recipe
  readonly environment: {
    readonly id: number
    readonly name: string
    readonly type: 'pull_request' | 'manual'
    readonly domain: string
    readonly pullRequestNumber: number | null
    /** Of a fork: no custom variables, no manual recipe. */
    readonly isFork: boolean
    /** Its commits were sent by a user, and are not at the git host. */
    readonly isUpload: boolean
    /** Whether it gets the variables of its project. */
    readonly inheritsVariables: boolean
    readonly limits: ComposeLimits
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
    readonly repositoryHost: RepositoryHost
  }
  readonly server: ServerAddress & { readonly edge: 'haproxy' | 'embedded' }
  /** The earlier deployment that this one rolls back to. */
  readonly sourceTaskId: number | null
  /** Successful deployments on this server before this task, the newest first: those that a rollback can choose. */
  readonly keptTaskIds: readonly number[]
  readonly grants: readonly string[]
  /** The `.service.yml` of the project's settings; for a rollback, the one that its deployment used. */
  readonly serviceFile: string | null
  /** The newest successful deployment on this server before this task, unless a reset cleared it. */
  readonly live: { readonly taskId: number; readonly commitSha: string } | null
  /** A deployment succeeded before this task on any server, and no reset has taken its data since. */
  readonly hasBeenLive: boolean
  /** What a removal undoes: the live deployment, else the last attempt on this server that started something. */
  readonly undo: Undo | null
  /** Recipe of the last attempt on this server, or the current one. */
  readonly triedRecipe: Recipe
  /** The server of the newest successful deployment before this task; null if it is this one. */
  readonly movedFrom: string | null
}

type Undo = {
  readonly taskId: number
  readonly commitSha: string
  readonly recipe: Recipe
  readonly isLive: boolean
  /** What it used of the project's settings. */
  readonly serviceFile: string | null
}

/** The recipe of `environments e` in `projects p` now. */
export const RECIPE = sql`case when e.is_fork = 1 or e.uploader_id is not null then ${sql.lit(ISOLATED_RECIPE)} else coalesce(e.recipe, p.default_recipe) end`

export async function findTaskToRun(db: Kysely<Tables>, id: number): Promise<TaskToRun | undefined> {
  const { rows } = await sql<Row>`
    select t.id, t.kind, t.action, t.command_sealed, t.service, t.cause, t.commit_sha, coalesce(t.branch, e.branch) as branch,
      case when ${IS_ADMITTED} then 1 else 0 end as is_admitted,
      coalesce(t.recipe, ${RECIPE}) as recipe,
      e.id as environment_id, e.name as environment_name, e.type, e.pull_request_number, e.is_fork, e.uploader_id, p.upload_variables, e.cpu_limit_thousandths,
      e.memory_limit_bytes, e.process_limit, d.domain, t.source_task_id,
      p.id as project_id, p.domain as project_domain, p.custom_domains, p.repo_url, p.hook_id, p.repository_public_key,
      p.repository_private_key_sealed, p.repository_host_key, p.repository_host,
      s.id as server_id, s.name as server_name, s.edge, ${addressColumns},
      l.id as live_id, l.commit_sha as live_sha, u.id as undo_id, u.commit_sha as undo_sha, u.recipe as undo_recipe,
      case when t.source_task_id is null then pf.content else rf.content end as service_file, uf.content as undo_service_file,
      case when exists (select 1 from tasks o where o.environment_id = e.id and o.id < t.id and o.status = 'succeeded'
        and ${whereKind('o', 'isDeployment')} and not ${wasTakenAway('o', 't')}) then 1 else 0 end as has_been_live,
      m.id as moved_id, f.name as moved_from, (
        select o.recipe from tasks o where o.environment_id = e.id and o.id < t.id and o.recipe is not null
          and ${whereKind('o', 'isDeployment')} and o.server_id = e.server_id order by o.id desc limit 1) as tried_recipe
    from tasks t
    join environments e on e.id = t.environment_id
    join projects p on p.id = e.project_id
    join servers s on s.id = case when ${whereKind('t', 'runsInLiveDeployment')} then coalesce(t.server_id, e.server_id) else e.server_id end
    left join domains d on d.environment_id = e.id and d.service = ${MAIN_SERVICE}
    left join tasks l on l.id = (
      select max(o.id) from tasks o where o.environment_id = e.id and o.id < t.id and o.status = 'succeeded'
        and ${whereKind('o', 'isDeployment')} and o.server_id = e.server_id and not ${wasTakenAway('o', 't')})
    left join tasks u on u.id = coalesce(l.id, (
      select max(o.id) from tasks o where o.environment_id = e.id and o.id < t.id and o.commit_sha is not null
        and o.started_at is not null and ${whereKind('o', 'isDeployment')} and o.server_id = e.server_id
        and not ${wasTakenAway('o', 't')}
        and (exists (select 1 from steps s where s.task_id = o.id and s.phase = 'Start')
          or not exists (select 1 from steps s where s.task_id = o.id))))
    left join tasks m on m.server_id <> e.server_id and m.id = (
      select max(o.id) from tasks o where o.environment_id = e.id and o.id < t.id and o.status = 'succeeded'
        and ${whereKind('o', 'isDeployment')})
    left join servers f on f.id = m.server_id
    left join service_files pf on pf.project_id = p.id
    left join task_service_files rf on rf.task_id = t.source_task_id
    left join task_service_files uf on uf.task_id = u.id
    where t.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const grants = await db
    .selectFrom('grants')
    .where('environment_id', '=', row.environment_id)
    .select('capability')
    .execute()
  const kept = await db
    .selectFrom('tasks')
    .where('environment_id', '=', row.environment_id)
    .where('id', '<', id)
    .where('status', '=', 'succeeded')
    .where(whereKind('tasks', 'isDeployment'))
    .where('server_id', '=', row.server_id)
    .orderBy('id', 'desc')
    .limit(KEPT_RELEASES)
    .select('id')
    .execute()
  return toTaskToRun(row, { grants: grants.map((grant) => grant.capability), keptTaskIds: kept.map((task) => task.id) })
}

const IS_ADMITTED = sql`case when e.is_fork = 1
  then exists (select 1 from approvals a where a.environment_id = e.id and a.commit_sha = t.commit_sha)
  when e.uploader_id is not null
  then exists (select 1 from uploads x where x.environment_id = e.id and x.commit_sha = t.commit_sha)
  else exists (select 1 from tasks o where o.environment_id = e.id and o.id < t.id and o.commit_sha = t.commit_sha
    and o.status = 'succeeded' and ${whereKind('o', 'isDeployment')}) end`

type Row = Omit<ServerAddressRow, 'name'> & {
  readonly id: number
  readonly kind: TaskKind
  readonly action: string | null
  readonly command_sealed: string | null
  readonly service: string | null
  readonly cause: TaskCause
  readonly commit_sha: string | null
  readonly is_admitted: 0 | 1
  readonly branch: string
  readonly recipe: Recipe
  readonly environment_id: number
  readonly environment_name: string
  readonly type: 'pull_request' | 'manual'
  readonly pull_request_number: number | null
  readonly is_fork: 0 | 1
  readonly uploader_id: number | null
  readonly upload_variables: 0 | 1
  readonly cpu_limit_thousandths: number | null
  readonly memory_limit_bytes: number | null
  readonly process_limit: number | null
  readonly source_task_id: number | null
  readonly domain: string | null
  readonly project_id: number
  readonly project_domain: string
  readonly custom_domains: string
  readonly repo_url: string
  readonly hook_id: string
  readonly repository_public_key: string
  readonly repository_private_key_sealed: string
  readonly repository_host_key: string | null
  readonly repository_host: RepositoryHost
  readonly server_id: number
  readonly server_name: string
  readonly edge: 'haproxy' | 'embedded'
  readonly live_id: number | null
  readonly live_sha: string | null
  readonly has_been_live: 0 | 1
  readonly undo_id: number | null
  readonly undo_sha: string | null
  readonly undo_recipe: Recipe | null
  readonly tried_recipe: Recipe | null
  readonly service_file: string | null
  readonly undo_service_file: string | null
  readonly moved_id: number | null
  readonly moved_from: string | null
}

/** An event says that a branch moved, and it may have moved on since. Of a fork, the approved commit is deployed. */
function takesNewest({ cause, is_fork: isFork }: Row): boolean {
  return isFork === 0 && (cause === 'push' || cause === 'pull_request')
}

function toTaskToRun(row: Row, more: Pick<TaskToRun, 'grants' | 'keptTaskIds'>): TaskToRun {
  return {
    ...more,
    sourceTaskId: row.source_task_id,
    id: row.id,
    kind: row.kind,
    action: row.action,
    commandSealed: row.command_sealed,
    service: row.service,
    cause: row.cause,
    commitSha: takesNewest(row) ? null : row.commit_sha,
    reportedSha: takesNewest(row) ? row.commit_sha : null,
    isCommitAdmitted: row.is_admitted === 1,
    branch: row.branch,
    recipe: row.recipe,
    environment: {
      id: row.environment_id,
      name: row.environment_name,
      type: row.type,
      domain: row.domain ?? '',
      pullRequestNumber: row.pull_request_number,
      isFork: row.is_fork === 1,
      isUpload: row.uploader_id !== null,
      inheritsVariables: row.is_fork === 0 && (row.uploader_id === null || row.upload_variables === 1),
      limits: {
        cpus: row.cpu_limit_thousandths === null ? null : row.cpu_limit_thousandths / 1000,
        memoryBytes: row.memory_limit_bytes,
        processes: row.process_limit,
      },
    },
    project: {
      id: row.project_id,
      domain: row.project_domain,
      customDomains: JSON.parse(row.custom_domains),
      repoUrl: row.repo_url,
      hookId: row.hook_id,
      publicKey: row.repository_public_key,
      privateKeySealed: row.repository_private_key_sealed,
      repositoryHostKey: row.repository_host_key,
      repositoryHost: row.repository_host,
    },
    server: { ...toServerAddress({ ...row, id: row.server_id, name: row.server_name }), edge: row.edge },
    serviceFile: row.service_file,
    hasBeenLive: row.has_been_live === 1,
    live: row.live_id !== null && row.live_sha !== null ? { taskId: row.live_id, commitSha: row.live_sha } : null,
    undo: undoOf(row),
    triedRecipe: row.tried_recipe ?? row.recipe,
    movedFrom: row.moved_id === null ? null : (row.moved_from ?? 'a server that was deleted'),
  }
}

function undoOf({ undo_id: taskId, undo_sha: commitSha, undo_recipe: recipe, ...row }: Row): Undo | null {
  if (taskId === null || commitSha === null) return null
  return {
    taskId,
    commitSha,
    recipe: recipe ?? row.recipe,
    isLive: taskId === row.live_id,
    serviceFile: row.undo_service_file,
  }
}
