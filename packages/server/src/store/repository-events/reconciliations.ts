// Projects whose pull requests are due for reconciliation with the git host, and the access to the host.
import { type Kysely, sql } from 'kysely'
import type { ProjectAtHost } from '../../domain/repository/host-access.ts'
import { type BusyOwners, isFree, NONE_BUSY } from '../busy-owners.ts'
import { findConnectionAnywhere } from '../connections/connections.ts'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'

/** Takes the project that was reconciled longest ago: no other process does it meanwhile. */
export async function takeProjectToReconcile(
  db: Kysely<Tables>,
  everyMs: number,
  busy: BusyOwners = NONE_BUSY,
): Promise<ProjectAtHost | undefined> {
  const due = sql`reconciled_at <= ${databaseTime(db)} - ${sql.lit(everyMs)}`
  const { rows } = await sql<{ id: number }>`
    update projects set reconciled_at = ${databaseTime(db)}
    where id = (
      select p.id from projects p
      where ${isFree(busy)} and deleting_since is null and ${due} and (host_token_sealed is not null or connection_id is not null
        or exists (select 1 from pull_requests r where r.project_id = p.id and r.state = 'open'))
      order by reconciled_at limit 1)
      and ${due}
    returning id`.execute(db)
  return rows[0] && findProjectAtHost(db, rows[0].id)
}

export async function findProjectAtHost(db: Kysely<Tables>, id: number): Promise<ProjectAtHost | undefined> {
  const row = await db.selectFrom('projects').where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) return undefined
  const { connection_id } = row
  const others = await db
    .selectFrom('projects')
    .where('organization_id', '=', row.organization_id)
    .where('id', '<>', id)
    .where((where) =>
      where.or([
        where('repo_url', '=', row.repo_url),
        where.and({
          repository_host: row.repository_host,
          repository_external_id: row.repository_external_id ?? '',
        }),
      ]),
    )
    .select('id')
    .limit(1)
    .execute()
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    sharesRepository: others.length > 0,
    hookId: row.hook_id,
    repoUrl: row.repo_url,
    repositoryHost: row.repository_host,
    publicKey: row.repository_public_key,
    privateKeySealed: row.repository_private_key_sealed,
    repositoryHostKey: row.repository_host_key,
    defaultBranch: row.default_branch,
    externalId: row.repository_external_id,
    webhookSecretSealed: row.webhook_secret_sealed,
    hostTokenSealed: row.host_token_sealed,
    connection: connection_id === null ? null : ((await findConnectionAnywhere(db, connection_id)) ?? null),
  }
}
