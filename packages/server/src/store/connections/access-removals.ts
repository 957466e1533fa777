// Rows of access_removals: deploy keys and webhooks that deleted projects leave at git hosts.
import { type Kysely, sql } from 'kysely'
import type { BusyOwners } from '../busy-owners.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import { type Leased, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'

export type AccessRemoval = Leased & {
  readonly organizationId: number
  readonly connectionId: number
  readonly repository: string
  readonly deployKeyId: string | null
  readonly webhookId: string | null
}

/** In the transaction that deletes the project. */
export async function insertAccessRemoval(tx: Change, projectId: number): Promise<void> {
  await sql`
    insert into access_removals (connection_id, repository, deploy_key_id, webhook_id, created_at)
    select p.connection_id, a.repository, a.deploy_key_id, a.webhook_id, p.updated_at
    from repository_access a join projects p on p.id = a.project_id
    where p.id = ${projectId} and p.connection_id is not null
      and (a.deploy_key_id is not null or a.webhook_id is not null)`.execute(tx)
  tx.notify({ about: 'queue' })
}

type Orphan = {
  readonly connectionId: number
  readonly repository: string
  readonly deployKeyId: string | null
  readonly webhookId: string | null
  readonly at: number
}

/** Added at the git host after its project was deleted. */
export async function insertOrphanRemoval(tx: Change, orphan: Orphan): Promise<void> {
  await sql`
    insert into access_removals (connection_id, repository, deploy_key_id, webhook_id, created_at)
    select c.id, cast(${orphan.repository} as text), cast(${orphan.deployKeyId} as text), cast(${orphan.webhookId} as text),
      cast(${orphan.at} as bigint)
    from connections c where c.id = ${orphan.connectionId}`.execute(tx)
  tx.notify({ about: 'queue' })
}

export async function takeAccessRemoval(
  db: Kysely<Tables>,
  leaseMs: number,
  { organizations }: Pick<BusyOwners, 'organizations'>,
): Promise<AccessRemoval | undefined> {
  const row = await takeDueRow(db, 'access_removals', {
    leaseMs,
    join: sql`join connections c on c.id = q.connection_id`,
    where: sql`c.organization_id not in (${idList(organizations)})`,
    organization: sql`(select c.organization_id from connections c where c.id = connection_id)`,
  })
  return (
    row && {
      id: row.id,
      attempts: row.attempts,
      leasedUntil: row.leasedUntil,
      organizationId: row.organizationId,
      connectionId: row.connection_id,
      repository: row.repository,
      deployKeyId: row.deploy_key_id,
      webhookId: row.webhook_id,
    }
  )
}

export async function listRepositoriesToRemove(db: Kysely<Tables>, connectionId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('access_removals')
    .where('connection_id', '=', connectionId)
    .orderBy('id')
    .select('repository')
    .execute()
  return rows.map(({ repository }) => repository)
}
