// Rows of connections, visible only through the caller's organizations. Sealed values stay in the row.
import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Connection } from '../../domain/connection.ts'
import { organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export async function findConnection(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Connection | undefined> {
  const organizations = sql.join(organizationsOf(actor))
  return (await selectConnections(db, sql`c.id = ${id} and c.organization_id in (${organizations})`))[0]
}

/** Without an actor: for work that the platform does by itself. */
export async function findConnectionAnywhere(db: Kysely<Tables>, id: number): Promise<Connection | undefined> {
  return (await selectConnections(db, sql`c.id = ${id}`))[0]
}

/** Null if the project has none. */
export async function findConnectionOfProject(db: Kysely<Tables>, projectId: number): Promise<Connection | null> {
  const own = sql`(select p.connection_id from projects p where p.id = ${projectId})`
  return (await selectConnections(db, sql`c.id = ${own}`))[0] ?? null
}

/** The caller has found the organization. */
export async function listConnections(db: Kysely<Tables>, organizationId: number): Promise<readonly Connection[]> {
  return selectConnections(db, sql`c.organization_id = ${organizationId} order by c.id`)
}

export async function insertConnection(tx: Change, values: Insertable<Tables['connections']>): Promise<number> {
  const { id } = await tx.insertInto('connections').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'organization', id: values.organization_id, how: 'updated' })
  return id
}

type ConnectionRow = Pick<Connection, 'id' | 'organizationId'>

export async function updateConnection(
  tx: Change,
  { id, organizationId }: ConnectionRow,
  values: Updateable<Tables['connections']>,
): Promise<void> {
  await tx.updateTable('connections').set(values).where('id', '=', id).execute()
  tx.notify({ about: 'organization', id: organizationId, how: 'updated' })
}

/** No project uses it. */
export async function deleteConnection(tx: Change, { id, organizationId }: ConnectionRow): Promise<void> {
  await tx.deleteFrom('connections').where('id', '=', id).execute()
  tx.notify({ about: 'organization', id: organizationId, how: 'updated' })
}

export async function listProjectsOfConnection(db: Kysely<Tables>, id: number): Promise<readonly string[]> {
  const rows = await db.selectFrom('projects').where('connection_id', '=', id).orderBy('id').select('name').execute()
  return rows.map(({ name }) => name)
}

type Row = Selectable<Tables['connections']> & { readonly project_count: number }

async function selectConnections(db: Kysely<Tables>, condition: RawBuilder<unknown>): Promise<readonly Connection[]> {
  const { rows } = await sql<Row>`
    select c.*, (select count(*) from projects p where p.connection_id = c.id) as project_count
    from connections c where ${condition}`.execute(db)
  return rows.map(toConnection)
}

function toConnection(row: Row): Connection {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type,
    name: row.name,
    baseUrl: row.base_url,
    sealId: row.seal_id,
    tokenSealed: row.token_sealed,
    account: row.account,
    app: toApp(row),
    hookId: row.hook_id,
    status: row.status,
    statusReason: row.status_reason,
    checkedAt: row.checked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    projectCount: row.project_count,
  }
}

function toApp(row: Row): Connection['app'] {
  if (row.app_id === null) return null
  return {
    id: row.app_id,
    slug: row.app_slug ?? '',
    clientId: row.client_id,
    clientSecretSealed: row.client_secret_sealed,
    privateKeySealed: row.private_key_sealed,
    webhookSecretSealed: row.webhook_secret_sealed,
    installationId: row.installation_id,
  }
}
