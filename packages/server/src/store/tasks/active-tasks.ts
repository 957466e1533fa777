// Queued and running tasks of all environments that the caller may see.
import { type Kysely, sql } from 'kysely'
import { type Actor, organizationsOf } from '../../domain/people/actor.ts'
import type { Tables } from '../tables/tables.ts'
import { listTasksById, type Task } from './tasks.ts'

/**
 * Newest first. Each state has an index of its own that holds nothing else, so that the ended tasks of years cost nothing; the sum in
 * the order keeps the database from walking through all tasks by their id instead.
 */
export async function listActiveTasks(db: Kysely<Tables>, actor: Actor, most: number): Promise<readonly Task[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id
    from (
      select id, environment_id from tasks where status = 'running'
      union all select id, environment_id from tasks where status = 'queued'
    ) a
    join environments e on e.id = a.environment_id
    join projects p on p.id = e.project_id
    where p.organization_id in (${sql.join(organizationsOf(actor))})
    order by a.id + 0 desc limit ${most}`.execute(db)
  return listTasksById(
    db,
    rows.map(({ id }) => id),
  )
}
