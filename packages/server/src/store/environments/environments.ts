// Rows of environments that were not removed, visible only through the caller's organizations.
import { type Insertable, type Kysely, type RawBuilder, sql, type Updateable } from 'kysely'
import { pullRequestName } from '../../domain/environment.ts'
import { type Actor, organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import type { Change } from '../change.ts'
import { insertWebhookEvent } from '../hooks/hook-messages.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { listTaskFacts, TASK_COLUMNS } from '../tasks/task-facts.ts'
import { whereKind } from '../tasks/task-kinds.ts'
import { type Environment, type EnvironmentRow, toEnvironment } from './environment-row.ts'
import { listRoutedServices } from './services.ts'
import { SLOTS_USED } from './slots-used.ts'
import { deleteUploads } from './uploads.ts'
import { VARIABLES_VERSION } from './variables.ts'

export async function findEnvironment(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Environment | undefined> {
  const condition = sql`e.id = ${id} and p.organization_id in (${sql.join(organizationsOf(actor))})`
  return (await selectEnvironments(db, condition))[0]
}

/** Sticky, then manual, then pull-request ones; newest first in each. The caller has found the project. */
export async function listEnvironments(
  db: Kysely<Tables>,
  projectId: number,
  page: PageRequest,
): Promise<Page<Environment>> {
  const [rank, id] = readPosition(page.before ?? FIRST_POSITION)
  const environments = await selectEnvironments(
    db,
    sql`e.project_id = ${projectId} and (${RANK} > ${rank} or (${RANK} = ${rank} and e.id < ${id}))
      order by ${RANK}, e.id desc limit ${page.limit + 1}`,
  )
  const items = environments.slice(0, page.limit)
  const last = items.at(-1)
  return { items, next: environments.length > page.limit && last ? positionOf(last) : undefined }
}

/** Those that follow a branch of the project's own repository. An upload only has its name. */
export function listEnvironmentsOfBranch(
  db: Kysely<Tables>,
  projectId: number,
  branch: string,
): Promise<readonly Environment[]> {
  const condition = sql`e.project_id = ${projectId} and e.branch = ${branch} and e.is_fork = 0
    and e.uploader_id is null order by e.id`
  return selectEnvironments(db, condition)
}

export function listEnvironmentsOfProject(db: Kysely<Tables>, projectId: number): Promise<readonly Environment[]> {
  return selectEnvironments(db, sql`e.project_id = ${projectId} order by e.id`)
}

/** The newest ones on the server, by the records. */
export function listEnvironmentsOfServer(
  db: Kysely<Tables>,
  serverId: number,
  limit: number,
): Promise<readonly Environment[]> {
  return selectEnvironments(db, sql`e.server_id = ${serverId} order by e.id desc limit ${limit}`)
}

export async function findEnvironmentAnywhere(db: Kysely<Tables>, id: number): Promise<Environment | undefined> {
  return (await selectEnvironments(db, sql`e.id = ${id}`))[0]
}

export type FailedRemoval = {
  readonly environmentId: number
  readonly projectId: number
  readonly failures: number
  readonly lastFailedAt: number
  /** It expired. */
  readonly isExpiry: boolean
  readonly because: string | null
}

/** Environments that must go but whose last task is a failed removal. */
export async function listFailedRemovals(db: Kysely<Tables>): Promise<readonly FailedRemoval[]> {
  const { rows } = await sql<{
    id: number
    project_id: number
    failures: number
    last_failed_at: number
    is_expiry: 0 | 1
    because: string | null
  }>`
    select e.id, e.project_id, l.finished_at as last_failed_at, l.is_expiry, l.because, (
      select count(*) from tasks f where f.environment_id = e.id and ${whereKind('f', 'removesEnvironment')} and f.status = 'failed') as failures
    from environments e
    join projects p on p.id = e.project_id
    join tasks l on l.id = (select max(t.id) from tasks t where t.environment_id = e.id and ${whereKind('t', 'locksEnvironment')})
    left join pull_requests r on r.project_id = e.project_id and r.number = e.pull_request_number
    where e.removed_at is null and ${whereKind('l', 'removesEnvironment')} and l.status = 'failed'
      and (p.deleting_since is not null or (r.state in ('closed', 'merged') and e.is_protected = 0)
        or (l.is_expiry = 1 and e.is_protected = 0 and e.is_sticky = 0))`.execute(db)
  return rows.map((row) => ({
    environmentId: row.id,
    projectId: row.project_id,
    failures: row.failures,
    lastFailedAt: row.last_failed_at,
    isExpiry: row.is_expiry === 1,
    because: row.because,
  }))
}

/** The environment of a pull request, also while it is being removed. */
export async function findPullRequestEnvironment(
  db: Kysely<Tables>,
  projectId: number,
  number: number,
): Promise<Environment | undefined> {
  // By its name too, which is how an index finds it.
  const condition = sql`e.project_id = ${projectId} and e.name = ${pullRequestName(number)}
    and e.pull_request_number = ${number}`
  return (await selectEnvironments(db, condition))[0]
}

/** The environment that a user's uploads of a branch go to, also while it is being removed. */
export async function findUploadEnvironment(
  db: Kysely<Tables>,
  { projectId, userId, branch }: { readonly projectId: number; readonly userId: number; readonly branch: string },
): Promise<Environment | undefined> {
  const condition = sql`e.project_id = ${projectId} and e.uploader_id = ${userId} and e.branch = ${branch}`
  return (await selectEnvironments(db, condition))[0]
}

/** How many environments take a slot of the project's limit. */
export async function findEnvironmentUse(
  db: Kysely<Tables>,
  actor: Actor,
  projectId: number,
): Promise<{ readonly used: number; readonly limit: number } | undefined> {
  return selectUse(db, sql`p.id = ${projectId} and p.organization_id in (${sql.join(organizationsOf(actor))})`)
}

/** The same without a user. */
export function findSlots(db: Kysely<Tables>, projectId: number): ReturnType<typeof findEnvironmentUse> {
  return selectUse(db, sql`p.id = ${projectId}`)
}

async function selectUse(db: Kysely<Tables>, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{ used: number; limit: number }>`
    select p.environment_limit as "limit", (${SLOTS_USED}) as used
    from projects p
    where ${condition}`.execute(db)
  return rows[0]
}

/** Whether the project has an environment of this name, also one in removal, or the domain is taken. */
export async function isNameOrDomainTaken(
  db: Kysely<Tables>,
  { projectId, name, domain }: { readonly projectId: number; readonly name: string; readonly domain: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from environments where project_id = ${projectId} and name = ${name} and removed_at is null
    union all select 1 from domains where domain = ${domain}`.execute(db)
  return rows.length > 0
}

/** Locks the row until the transaction ends, so that changes and tasks of one environment follow each other. */
export async function lockEnvironment(db: Kysely<Tables>, id: number): Promise<void> {
  await sql`update environments set id = id where id = ${id}`.execute(db)
}

/** A name that the project has already violates `environments(project_id, name)`. */
export async function insertEnvironment(tx: Change, values: Insertable<Tables['environments']>): Promise<number> {
  const { id } = await tx.insertInto('environments').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'environment', id, how: 'created' })
  tx.notify({ about: 'project', id: values.project_id, how: 'updated' })
  return id
}

export async function updateEnvironment(
  tx: Change,
  id: number,
  values: Updateable<Tables['environments']>,
): Promise<void> {
  // Queued before the update, while the environment still has its address.
  if (values.removed_at != null) {
    await insertWebhookEvent(tx, { event: 'environment.removed', environmentId: id, at: values.removed_at })
    await deleteUploads(tx, id)
  }
  const updated = await tx
    .updateTable('environments')
    .set(values)
    .where('id', '=', id)
    .returning('project_id')
    .executeTakeFirst()
  if (!updated) return
  if (values.removed_at == null) tx.notify({ about: 'environment', id, how: 'updated' })
  else await notifyOfRemoval(tx, id, updated.project_id)
  // It takes or frees a slot of its project.
  if (values.awaits_approval !== undefined) tx.notify({ about: 'project', id: updated.project_id, how: 'updated' })
}

/** A removed environment cannot be looked up, and its project may be deleted next. */
async function notifyOfRemoval(tx: Change, id: number, projectId: number): Promise<void> {
  const project = tx.selectFrom('projects').where('id', '=', projectId).select('organization_id')
  const { organization_id: organizationId } = await project.executeTakeFirstOrThrow()
  tx.notify({ about: 'environment', id, how: 'deleted', organizationId })
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  tx.notify({ about: 'slots', id: projectId })
}

/** Counts one change of the variables. */
export async function updateVariablesVersion(tx: Change, id: number, at: number): Promise<void> {
  await sql`
    update environments set variables_version = variables_version + 1, updated_at = ${at} where id = ${id}`.execute(tx)
  tx.notify({ about: 'environment', id, how: 'updated' })
}

/** Whether a task of the environment ever started; until then no server can have anything of it. */
export async function hasStartedTask(db: Kysely<Tables>, environmentId: number): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .where('environment_id', '=', environmentId)
    .where('started_at', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether a server may have something of it. It has not if every started deployment ended in its first phase, as its
 * steps show: that phase writes only to the records.
 */
export async function mayBeOnServer(db: Kysely<Tables>, environmentId: number): Promise<boolean> {
  const { rows } = await sql`
    select t.id from tasks t where t.environment_id = ${environmentId} and t.started_at is not null
      and (t.status not in ('failed', 'canceled') or (${whereKind('t', 'isDeployment')} and (
        not exists (select 1 from steps s where s.task_id = t.id)
        or exists (select 1 from steps s where s.task_id = t.id and s.phase <> 'Prepare'))))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Whether its last task is a removal that did not succeed. */
export async function hasFailedRemoval(db: Kysely<Tables>, environmentId: number): Promise<boolean> {
  const { rows } = await sql`
    select t.id from tasks t where t.id = (select max(o.id) from tasks o where o.environment_id = ${environmentId}
        and ${whereKind('o', 'locksEnvironment')})
      and ${whereKind('t', 'removesEnvironment')} and t.status in ('failed', 'canceled')`.execute(db)
  return rows.length > 0
}

/** The group of `environments e` in the list of its project. */
export const RANK = sql`(case when e.is_sticky = 1 then 0 when e.type = 'manual' then 1 else 2 end)`

/** A position in the list as one number, for the cursor: the group, then the id. */
const GROUP_SIZE = 2 ** 48
const FIRST_POSITION = GROUP_SIZE - 1

function positionOf({ isSticky, type, id }: Environment): number {
  const rank = isSticky ? 0 : type === 'manual' ? 1 : 2
  return rank * GROUP_SIZE + id
}

function readPosition(position: number): readonly [number, number] {
  return [Math.floor(position / GROUP_SIZE), position % GROUP_SIZE]
}

/** Removed environments keep their rows, and a row needs a server: they move to the first server of their project. */
export async function moveRemovedEnvironments(tx: Change, serverId: number): Promise<void> {
  await sql`
    update environments set server_id = (
      select o.server_id from project_servers o where o.project_id = environments.project_id order by o.position limit 1)
    where server_id = ${serverId} and removed_at is not null`.execute(tx)
}

async function selectEnvironments(db: Kysely<Tables>, condition: RawBuilder<unknown>): Promise<Environment[]> {
  const { rows } = await sql<EnvironmentRow>`
    select e.id, e.project_id, e.name, e.title, e.type, e.pull_request_number, e.pull_request_title,
      e.pull_request_url, e.pull_request_author, e.branch, e.recipe, e.is_protected, e.is_sticky, e.auto_deploy,
      e.awaits_approval, e.is_fork, e.cpu_limit_thousandths, e.memory_limit_bytes, e.process_limit, e.basic_auth_username, ${VARIABLES_VERSION} as variables_version, e.created_at, e.updated_at,
      r.state as pull_request_state, r.head_sha as pull_request_head,
      p.organization_id, p.default_recipe, p.tls, p.basic_auth_username as project_username, p.deleting_since,
      coalesce(p.file_expire_after_hours, p.expire_after_hours) as expire_after_hours, p.expire_changed_at, e.extended_at, e.schedules,
      e.uploader_id, x.name as uploader_name, e.upload_expires_at, p.upload_variables,
      o.commit_sha as upload_sha, o.head_sha as upload_head, o.created_at as upload_at,
      w.state as wait_state, w.commit_sha as wait_sha, w.since as wait_since, w.deadline_at as wait_deadline, w.open_checks as wait_checks,
      s.id as server_id, s.name as server_name, s.hostname as server_hostname, s.edge as server_edge,
      u.id as owner_id, u.name as owner_name, d.domain, ${TASK_COLUMNS}
    from environments e
    join projects p on p.id = e.project_id
    join servers s on s.id = e.server_id
    join users u on u.id = e.owner_id
    left join domains d on d.environment_id = e.id and d.service = ${MAIN_SERVICE}
    left join pull_requests r on r.project_id = e.project_id and r.number = e.pull_request_number
    left join check_waits w on w.environment_id = e.id
    left join users x on x.id = e.uploader_id
    left join uploads o on e.uploader_id is not null and o.id = (
      select max(newest.id) from uploads newest where newest.environment_id = e.id)
    where e.removed_at is null and ${condition}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const services = await listRoutedServices(db, ids)
  const tasks = await listTaskFacts(db, rows)
  return rows.flatMap((row, index) => {
    const facts = tasks[index]
    return facts ? [toEnvironment(row, { services: services.get(row.id) ?? [], tasks: facts })] : []
  })
}
