// What a project counts of its variables: the version, which rises with each change of them.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { notifyOfProject } from '../implied-events.ts'
import type { Tables } from '../tables/tables.ts'

export async function findProjectVariablesVersion(db: Kysely<Tables>, projectId: number): Promise<number> {
  const row = await db.selectFrom('projects').where('id', '=', projectId).select('variables_version').executeTakeFirst()
  return row?.variables_version ?? 0
}

/** Counts one change. */
export async function updateProjectVariablesVersion(tx: Change, projectId: number, at: number): Promise<void> {
  const { rows } = await sql<{ variables_version: number }>`
    update projects set variables_version = variables_version + 1, updated_at = ${at} where id = ${projectId}
    returning variables_version`.execute(tx)
  const [changed] = rows
  if (!changed) return
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  await notifyOfProject(tx, projectId, changed)
}
