// Rows of servers, seen only through the organizations of whoever asks.
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import { type Actor, organizationsOf } from '../domain/actor.ts'
import { type Page, type PageRequest, pageOf } from './page.ts'
import type { Tables } from './tables.ts'

export type Server = {
  readonly id: number
  readonly organizationId: number
  readonly name: string
  readonly hostname: string
  readonly port: number
  readonly unixUser: string
  readonly connection: 'ssh' | 'local'
  readonly edge: 'haproxy' | 'embedded'
  readonly hostKey: string | null
  readonly projectCount: number
  readonly createdAt: number
}

export async function findServer(db: Kysely<Tables>, actor: Actor, id: number): Promise<Server | undefined> {
  const row = await selectServers(db, actor).where('s.id', '=', id).executeTakeFirst()
  return row && toServer(row)
}

export async function listServers(db: Kysely<Tables>, actor: Actor, page: PageRequest): Promise<Page<Server>> {
  const rows = await selectServers(db, actor)
    .$if(page.before !== undefined, (query) => query.where('s.id', '<', page.before ?? 0))
    .orderBy('s.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(rows.map(toServer), page)
}

export async function insertServer(db: Kysely<Tables>, values: Insertable<Tables['servers']>): Promise<number> {
  const { id } = await db.insertInto('servers').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateServer(
  db: Kysely<Tables>,
  id: number,
  values: Updateable<Tables['servers']>,
): Promise<void> {
  if (Object.keys(values).length > 0) await db.updateTable('servers').set(values).where('id', '=', id).execute()
}

/** The key that the server showed at the first connection; one that is pinned stays. */
export async function updateHostKey(db: Kysely<Tables>, id: number, hostKey: string): Promise<void> {
  await db
    .updateTable('servers')
    .set({ host_key: hostKey })
    .where('id', '=', id)
    .where('host_key', 'is', null)
    .execute()
}

export async function deleteServer(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom('servers').where('id', '=', id).execute()
}

function selectServers(db: Kysely<Tables>, actor: Actor) {
  return db
    .selectFrom('servers as s')
    .where('s.organization_id', 'in', organizationsOf(actor))
    .selectAll('s')
    .select((eb) =>
      eb
        .selectFrom('project_servers as p')
        .whereRef('p.server_id', '=', 's.id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('project_count'),
    )
}

function toServer(row: Selectable<Tables['servers']> & { project_count: number | null }): Server {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    hostname: row.hostname,
    port: row.port,
    unixUser: row.unix_user,
    connection: row.connection,
    edge: row.edge,
    hostKey: row.host_key,
    projectCount: row.project_count ?? 0,
    createdAt: row.created_at,
  }
}
