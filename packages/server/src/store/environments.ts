// Rows of environments that were not removed, seen only through the organizations of whoever asks.
import { type Insertable, type Kysely, type RawBuilder, sql, type Updateable } from 'kysely'
import { type Actor, organizationsOf } from '../domain/actor.ts'
import { listServiceDomains } from './domains.ts'
import { type Environment, type EnvironmentRow, toEnvironment } from './environment-row.ts'
import type { Page, PageRequest } from './page.ts'
import type { Tables } from './tables.ts'
import { listTaskFacts, TASK_COLUMNS } from './task-facts.ts'

export async function findEnvironment(db: Kysely<Tables>, actor: Actor, id: number): Promise<Environment | undefined> {
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

export function listEnvironmentsOfProject(db: Kysely<Tables>, projectId: number): Promise<readonly Environment[]> {
  return selectEnvironments(db, sql`e.project_id = ${projectId} order by e.id`)
}

/** How many environments take a slot of the project's limit; one that awaits approval takes none. */
export async function findEnvironmentUse(
  db: Kysely<Tables>,
  actor: Actor,
  projectId: number,
): Promise<{ readonly used: number; readonly limit: number } | undefined> {
  const { rows } = await sql<{ used: number; limit: number }>`
    select p.environment_limit as "limit", (
      select count(*) from environments e
      where e.project_id = p.id and e.removed_at is null and e.awaits_approval = 0
    ) as used
    from projects p
    where p.id = ${projectId} and p.organization_id in (${sql.join(organizationsOf(actor))})`.execute(db)
  return rows[0]
}

/** Holds the row until the transaction ends, so that changes and tasks of one environment follow each other. */
export async function lockEnvironment(db: Kysely<Tables>, id: number): Promise<void> {
  await sql`update environments set id = id where id = ${id}`.execute(db)
}

/** A name that the project has already violates `environments(project_id, name)`. */
export async function insertEnvironment(
  db: Kysely<Tables>,
  values: Insertable<Tables['environments']>,
): Promise<number> {
  const { id } = await db.insertInto('environments').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateEnvironment(
  db: Kysely<Tables>,
  id: number,
  values: Updateable<Tables['environments']>,
): Promise<void> {
  await db.updateTable('environments').set(values).where('id', '=', id).execute()
}

/** Whether a task of the environment ever began; until then nothing of it can be on a server. */
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

const RANK = sql`(case when e.is_sticky = 1 then 0 when e.type = 'manual' then 1 else 2 end)`

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

async function selectEnvironments(db: Kysely<Tables>, condition: RawBuilder<unknown>): Promise<Environment[]> {
  const { rows } = await sql<EnvironmentRow>`
    select e.id, e.project_id, e.name, e.title, e.type, e.pull_request_number, e.pull_request_title,
      e.pull_request_url, e.pull_request_author, e.branch, e.recipe, e.is_protected, e.is_sticky, e.auto_deploy,
      e.awaits_approval, e.basic_auth_username, e.variables_version, e.created_at, e.updated_at,
      p.organization_id, p.default_recipe, p.tls, p.basic_auth_username as project_username, p.deleting_since,
      s.id as server_id, s.name as server_name, s.hostname as server_hostname, s.edge as server_edge,
      u.id as owner_id, u.name as owner_name, d.domain, ${TASK_COLUMNS}
    from environments e
    join projects p on p.id = e.project_id
    join servers s on s.id = e.server_id
    join users u on u.id = e.owner_id
    left join domains d on d.environment_id = e.id and d.service = ''
    where e.removed_at is null and ${condition}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const services = await listServiceDomains(db, ids)
  const tasks = await listTaskFacts(db, rows)
  return rows.flatMap((row, index) => {
    const facts = tasks[index]
    return facts ? [toEnvironment(row, { services: services.get(row.id) ?? [], tasks: facts })] : []
  })
}
