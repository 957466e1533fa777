// The `.service.yml` of a project's settings, and which one a deployment used. Rows of their own, so that lists do not load the texts.
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** The caller has found the project. */
export async function findServiceFile(db: Kysely<Tables>, projectId: number): Promise<string | null> {
  const row = await db
    .selectFrom('service_files')
    .where('project_id', '=', projectId)
    .select('content')
    .executeTakeFirst()
  return row?.content ?? null
}

/** Null removes it. The caller notifies of the project. */
export async function replaceServiceFile(tx: Change, projectId: number, content: string | null): Promise<void> {
  if (content === null) {
    await tx.deleteFrom('service_files').where('project_id', '=', projectId).execute()
    return
  }
  const values = { content, digest: createHash('sha256').update(content).digest('hex') }
  await tx
    .insertInto('service_files')
    .values({ project_id: projectId, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

/** What the deployment used of the project's settings; null: its commit has a file. */
export async function findServiceFileOfTask(db: Kysely<Tables>, taskId: number | null): Promise<string | null> {
  if (taskId === null) return null
  const row = await db
    .selectFrom('task_service_files')
    .where('task_id', '=', taskId)
    .select('content')
    .executeTakeFirst()
  return row?.content ?? null
}

export async function replaceServiceFileOfTask(tx: Change, taskId: number, content: string): Promise<void> {
  await tx
    .insertInto('task_service_files')
    .values({ task_id: taskId, content })
    .onConflict((conflict) => conflict.column('task_id').doUpdateSet({ content }))
    .execute()
}
