// Rows of uploads: working trees that users sent for their environments, with the packs in chunks.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

const CHUNK_BYTES = 256 * 1024

export type NewUpload = {
  readonly projectId: number
  readonly environmentId: number
  readonly commitSha: string
  readonly headSha: string
  readonly baseSha: string | null
  readonly at: number
}

/** The same commit of an environment is stored once. */
export async function insertUpload(tx: Change, upload: NewUpload, pack: AsyncIterable<Uint8Array>): Promise<void> {
  const { environmentId, commitSha } = upload
  await tx
    .deleteFrom('uploads')
    .where('environment_id', '=', environmentId)
    .where('commit_sha', '=', commitSha)
    .execute()
  const { id } = await tx
    .insertInto('uploads')
    .values({
      project_id: upload.projectId,
      environment_id: environmentId,
      commit_sha: commitSha,
      head_sha: upload.headSha,
      base_sha: upload.baseSha,
      bytes: 0,
      created_at: upload.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let position = 0
  let bytes = 0
  for await (const piece of pack) {
    for (let from = 0; from < piece.length; from += CHUNK_BYTES) {
      const chunk = piece.subarray(from, from + CHUNK_BYTES)
      await tx.insertInto('upload_chunks').values({ upload_id: id, position, bytes: chunk }).execute()
      position += 1
      bytes += chunk.length
    }
  }
  await tx.updateTable('uploads').set({ bytes }).where('id', '=', id).execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

/** Deletes uploads of an environment but the newest and those of these tasks. */
export async function deleteOldUploads(
  tx: Change,
  environmentId: number,
  keptTaskIds: readonly number[],
): Promise<void> {
  const kept = keptTaskIds.length === 0 ? sql`null` : sql.join(keptTaskIds)
  await sql`
    delete from uploads where environment_id = ${environmentId}
      and id <> (select max(u.id) from uploads u where u.environment_id = ${environmentId})
      and commit_sha not in (select t.commit_sha from tasks t where t.environment_id = ${environmentId}
        and t.commit_sha is not null and (t.id in (${kept}) or t.finished_at is null))`.execute(tx)
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

/** With their environment, whose removal readers are notified of. */
export async function deleteUploads(tx: Change, environmentId: number): Promise<void> {
  await tx.deleteFrom('uploads').where('environment_id', '=', environmentId).execute()
}

/** How much is stored for a project, without the uploads of one environment if `besides` names it. */
export async function countUploadBytes(
  db: Kysely<Tables>,
  projectId: number,
  { besides }: { readonly besides?: number | undefined } = {},
): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .where('project_id', '=', projectId)
    .$if(besides !== undefined, (query) => query.where('environment_id', '<>', besides ?? 0))
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('bytes'))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

export type StoredUpload = { readonly id: number; readonly commitSha: string; readonly baseSha: string | null }

/** The newest upload of an environment, or the one of a commit. */
export async function findUpload(
  db: Kysely<Tables>,
  environmentId: number,
  commitSha?: string,
): Promise<StoredUpload | undefined> {
  const found = db
    .selectFrom('uploads')
    .where('environment_id', '=', environmentId)
    .$if(commitSha !== undefined, (query) => query.where('commit_sha', '=', commitSha ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'commit_sha as commitSha', 'base_sha as baseSha'])
  return found.executeTakeFirst()
}

/** One chunk at a time: a pack need not fit into memory. */
export async function* readUpload(db: Kysely<Tables>, uploadId: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; ; position += 1) {
    const row = await db
      .selectFrom('upload_chunks')
      .where('upload_id', '=', uploadId)
      .where('position', '=', position)
      .select('bytes')
      .executeTakeFirst()
    if (!row) return
    yield row.bytes
  }
}

/** Those of these commits that an upload of the project has. */
export async function listUploadedCommits(
  db: Kysely<Tables>,
  projectId: number,
  commits: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('uploads')
    .where('project_id', '=', projectId)
    .where('commit_sha', 'in', [...commits])
    .select('commit_sha')
    .execute()
  return new Set(rows.map((row) => row.commit_sha))
}
