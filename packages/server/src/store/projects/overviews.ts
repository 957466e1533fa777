// The overview of projects: a page of them in few queries, however many environments and tasks they have.
import { type Kysely, sql } from 'kysely'
import type { StatusFacts } from '../../domain/environment.ts'
import { type Actor, organizationsOf } from '../../domain/people/actor.ts'
import { RANK } from '../environments/environments.ts'
import { IS_DEGRADED } from '../environments/services.ts'
import { idList } from '../id-list.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import { listWaitingCounts } from '../repository-events/pull-requests.ts'
import type { Tables } from '../tables/tables.ts'
import { listPhasesOfTasks } from '../tasks/steps.ts'
import { STATUS_COLUMNS, STATUS_JOINS, type StatusRow, toStatusFacts } from '../tasks/task-facts.ts'
import { whereKind } from '../tasks/task-kinds.ts'
import { listTasksById, type Task } from '../tasks/tasks.ts'

export type Overview = {
  /** Of the project. */
  readonly id: number
  readonly environments: readonly EnvironmentGlance[]
  readonly waitingCount: number
  readonly latestTask: { readonly task: Task; readonly phase: string | null } | null
}

type EnvironmentGlance = {
  readonly id: number
  readonly name: string
  /** Its own, or that of its pull request. */
  readonly title: string
  readonly awaitsApproval: boolean
  readonly isDegraded: boolean
  readonly tasks: StatusFacts
}

/** The same projects in the same order as the list of projects. */
export async function listOverviews(
  db: Kysely<Tables>,
  actor: Actor,
  { mostEnvironments, ...page }: PageRequest & { readonly mostEnvironments: number },
): Promise<Page<Overview>> {
  const { items: projects, next } = pageOf(await listProjectIds(db, actor, page), page)
  const ids = projects.map(({ id }) => id)
  if (ids.length === 0) return { items: [], next }
  const environments = await listGlances(db, ids, mostEnvironments)
  const waiting = await listWaitingCounts(db, ids)
  const latest = await listTasksById(db, await listLatestTaskIds(db, ids))
  const phases = await listPhasesOfTasks(
    db,
    latest.map((task) => task.id),
  )
  const byProject = new Map(latest.map((task) => [task.projectId, { task, phase: phases.get(task.id) ?? null }]))
  const items = ids.map((id) => ({
    id,
    environments: environments.get(id) ?? [],
    waitingCount: waiting.get(id) ?? 0,
    latestTask: byProject.get(id) ?? null,
  }))
  return { items, next }
}

function listProjectIds(db: Kysely<Tables>, actor: Actor, { limit, before }: PageRequest) {
  return db
    .selectFrom('projects')
    .where('organization_id', 'in', organizationsOf(actor))
    .where('id', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .select('id')
    .execute()
}

type GlanceRow = StatusRow & {
  readonly id: number
  readonly project_id: number
  readonly name: string
  readonly title: string
  readonly awaits_approval: 0 | 1
  readonly is_degraded: 0 | 1
}

/** By project, in the order of its list. Reads tasks only of environments that are shown. */
async function listGlances(
  db: Kysely<Tables>,
  projectIds: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, readonly EnvironmentGlance[]>> {
  const { rows } = await sql<GlanceRow>`
    select e.id, e.project_id, e.name, e.title, e.awaits_approval, ${IS_DEGRADED} as is_degraded, ${STATUS_COLUMNS}
    from (
      select e.id, e.project_id, e.name, coalesce(nullif(e.title, ''), e.pull_request_title, '') as title, e.awaits_approval,
        row_number() over (partition by e.project_id order by ${RANK}, e.id desc) as place
      from environments e where e.project_id in (${idList(projectIds)}) and e.removed_at is null
    ) e
    ${STATUS_JOINS}
    where e.place <= ${most}
    order by e.project_id, e.place`.execute(db)
  const byProject = Map.groupBy(rows, (row) => row.project_id)
  return new Map([...byProject].map(([id, own]) => [id, own.map(toGlance)]))
}

const toGlance = (row: GlanceRow): EnvironmentGlance => ({
  id: row.id,
  name: row.name,
  title: row.title,
  awaitsApproval: row.awaits_approval === 1,
  isDegraded: row.is_degraded === 1,
  tasks: toStatusFacts(row),
})

/** One index lookup for each environment: tasks have no index by project. */
async function listLatestTaskIds(db: Kysely<Tables>, projectIds: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ task_id: number | null }>`
    select max(e.last_id) as task_id
    from (
      select e.project_id,
        (select t.id from tasks t where t.environment_id = e.id and ${whereKind('t', 'locksEnvironment')} order by t.id desc limit 1) as last_id
      from environments e where e.project_id in (${idList(projectIds)}) and e.removed_at is null
    ) e
    group by e.project_id`.execute(db)
  return rows.flatMap((row) => row.task_id ?? [])
}
