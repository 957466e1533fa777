// What blocks the environments of pull requests: an earlier one of the same name in removal, or a taken domain.
import { type Kysely, sql } from 'kysely'
import type { Obstacle } from '../../domain/repository/waiting.ts'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'

type Row = {
  readonly number: number
  readonly domain: string
  readonly own_id: number | null
  readonly environment_id: number | null
  readonly environment: string | null
  readonly project: string | null
  readonly is_of_project: boolean | number
  readonly is_of_organization: boolean | number
}

/** By number. Reveals nothing about an environment of another organization except that the domain is taken. */
export async function findObstacles(
  db: Kysely<Tables>,
  { projectId, numbers }: { readonly projectId: number; readonly numbers: readonly number[] },
): Promise<ReadonlyMap<number, Obstacle>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select r.number, 'pr-' || cast(r.number as text) || '.' || p.domain as domain, o.id as own_id,
      e.id as environment_id, e.name as environment, h.name as project, h.id = p.id as is_of_project,
      h.organization_id = p.organization_id as is_of_organization
    from pull_requests r
    join projects p on p.id = r.project_id
    left join environments o on o.project_id = p.id and o.removed_at is null
      and o.name = 'pr-' || cast(r.number as text)
    left join domains d on d.domain = 'pr-' || cast(r.number as text) || '.' || p.domain
      and (o.id is null or d.environment_id <> o.id)
    left join environments e on e.id = d.environment_id
    left join projects h on h.id = e.project_id
    where r.project_id = ${projectId} and r.number in (${idList(numbers)})`.execute(db)
  return new Map(rows.map((row) => [row.number, toObstacle(row)]))
}

function toObstacle({ domain, own_id, environment_id, environment, project, ...row }: Row): Obstacle {
  const holder =
    environment !== null && project !== null && row.is_of_organization
      ? { environment, project, isOfProject: Boolean(row.is_of_project) }
      : null
  return { isLeaving: own_id !== null, taken: environment_id === null ? null : { domain, by: holder } }
}
