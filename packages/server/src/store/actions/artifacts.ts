// Artifacts: files from runs of actions. Rows outlive their file, so that a download can say that it has expired.
import { type Kysely, sql } from 'kysely'
import { type Actor, organizationsOf } from '../../domain/people/actor.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import { addressColumns, type ServerAddressRow, toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'

export type Artifact = {
  readonly id: number
  readonly taskId: number
  /** Its name in the folder of the task. */
  readonly number: number
  /** As the run called it, to be shown. */
  readonly path: string
  readonly size: number
  /** Identifies the file on its server. */
  readonly stamp: string
  readonly createdAt: number
  readonly expiresAt: number
}

export type StoredArtifact = Artifact & {
  readonly environmentId: number
  readonly organizationId: number
  /** Undefined if the server was deleted. */
  readonly server: ServerAddress | undefined
}

export type NewArtifact = Pick<Artifact, 'number' | 'path' | 'size' | 'stamp'>

export async function insertArtifacts(
  tx: Change,
  taskId: number,
  {
    artifacts,
    ...times
  }: { readonly artifacts: readonly NewArtifact[]; readonly createdAt: number; readonly expiresAt: number },
): Promise<void> {
  const common = { task_id: taskId, created_at: times.createdAt, expires_at: times.expiresAt }
  // A statement takes no more values than this at once.
  for (let from = 0; from < artifacts.length; from += 100) {
    const rows = artifacts.slice(from, from + 100).map((artifact) => ({ ...artifact, ...common }))
    await tx.insertInto('artifacts').values(rows).execute()
  }
  tx.notify({ about: 'task', id: taskId, how: 'updated' })
}

/** In the order of their paths at first, since that is how they were numbered. The caller has found the task through its actor. */
export async function listArtifacts(db: Kysely<Tables>, taskId: number, page: PageRequest): Promise<Page<Artifact>> {
  const rows = await db
    .selectFrom('artifacts')
    .where('task_id', '=', taskId)
    .$if(page.before !== undefined, (query) => query.where('id', '>', page.before ?? 0))
    .orderBy('id')
    .limit(page.limit + 1)
    .selectAll()
    .execute()
  return pageOf(rows.map(toArtifact), page)
}

export async function findArtifact(db: Kysely<Tables>, actor: Actor, id: number): Promise<StoredArtifact | undefined> {
  const { rows } = await sql<PlaceRow>`
    select a.id as artifact_id, a.task_id, a.number, a.path, a.size, a.stamp, a.created_at, a.expires_at,
      t.environment_id, p.organization_id, s.id, s.name, ${addressColumns}
    from artifacts a
    join tasks t on t.id = a.task_id
    join environments e on e.id = t.environment_id
    join projects p on p.id = e.project_id
    left join servers s on s.id = t.server_id
    where a.id = ${id} and p.organization_id in (${idList(organizationsOf(actor))})`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return {
    ...toArtifact({ ...row, id: row.artifact_id }),
    environmentId: row.environment_id,
    organizationId: row.organization_id,
    server: row.id === null ? undefined : toServerAddress({ ...row, id: row.id }),
  }
}

/** Expires every artifact of an environment. The files are deleted, or will be at the next clean-up of the server. */
export async function expireArtifacts(tx: Change, environmentId: number, at: number): Promise<void> {
  const { rows } = await sql<{ task_id: number }>`
    update artifacts set expires_at = ${at} where expires_at > ${at}
      and task_id in (select id from tasks where environment_id = ${environmentId} and ${whereKind('tasks', 'runsInLiveDeployment')})
    returning task_id`.execute(tx)
  for (const id of new Set(rows.map((row) => row.task_id))) tx.notify({ about: 'task', id, how: 'updated' })
}

/**
 * Of these tasks, those whose files may be deleted from a server: ended, with every artifact expired. Tasks
 * that the records do not know are not checked: after a return to an older backup the server has more than the records.
 */
export async function listTasksWithoutArtifacts(
  db: Kysely<Tables>,
  taskIds: readonly number[],
  at: number,
): Promise<readonly number[]> {
  const { rows: needed } = await sql<{ id: number }>`
    select t.id from tasks t where t.id in (${idList(taskIds)}) and (t.finished_at is null
      or exists (select 1 from artifacts a where a.task_id = t.id and a.expires_at > ${at}))`.execute(db)
  const { rows: newest } = await sql<{ id: number | null }>`select max(id) as id from tasks`.execute(db)
  const kept = new Set(needed.map(({ id }) => id))
  return taskIds.filter((id) => !kept.has(id) && id <= (newest[0]?.id ?? 0))
}

type ArtifactRow = {
  readonly id: number
  readonly task_id: number
  readonly number: number
  readonly path: string
  readonly size: number
  readonly stamp: string
  readonly created_at: number
  readonly expires_at: number
}
type PlaceRow = Omit<ArtifactRow, 'id'> &
  Omit<ServerAddressRow, 'id'> & {
    readonly artifact_id: number
    readonly id: number | null
    readonly environment_id: number
    readonly organization_id: number
  }

const toArtifact = (row: ArtifactRow): Artifact => ({
  id: row.id,
  taskId: row.task_id,
  number: row.number,
  path: row.path,
  size: row.size,
  stamp: row.stamp,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
