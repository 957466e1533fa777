// Rows of servers, visible only through the caller's organizations.
import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import { type Actor, organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import { notifyOfServer } from '../implied-events.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { deleteUnusedMachine } from './machines.ts'
import { toServerAddress } from './server-addresses.ts'

export type Server = ServerAddress & {
  readonly organizationId: number
  readonly edge: 'haproxy' | 'embedded'
  readonly projectCount: number
  /** The public key of the authority for the people of its organization; null before there is one. */
  readonly peopleAuthorityKey: string | null
  readonly createdAt: number
}

export async function findServer(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Server | undefined> {
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

export async function insertServer(tx: Change, values: Insertable<Tables['servers']>): Promise<number> {
  const { id } = await tx.insertInto('servers').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'server', id, how: 'created' })
  return id
}

export async function updateServer(tx: Change, id: number, values: Updateable<Tables['servers']>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await tx.updateTable('servers').set(values).where('id', '=', id).execute()
  tx.notify({ about: 'server', id, how: 'updated' })
  await notifyOfServer(tx, id)
  tx.notify({ about: 'connection', id })
}

/** Serializes changes of a server. Inside a transaction only. */
export async function lockServer(db: Kysely<Tables>, id: number): Promise<void> {
  await sql`update servers set id = id where id = ${id}`.execute(db)
}

/** A machine is released with its last server. */
export async function deleteServer(tx: Change, id: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('servers')
    .where('id', '=', id)
    .returning(['machine_id', 'organization_id'])
    .executeTakeFirst()
  if (!deleted) return
  await deleteUnusedMachine(tx, deleted.machine_id)
  tx.notify({ about: 'server', id, how: 'deleted', organizationId: deleted.organization_id })
  tx.notify({ about: 'connection', id })
}

function selectServers(db: Kysely<Tables>, actor: Viewer) {
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
    .select((eb) =>
      eb
        .selectFrom('ssh_authorities as a')
        .whereRef('a.organization_id', '=', 's.organization_id')
        .select('a.public_key')
        .as('people_authority_key'),
    )
}

type ServerRow = Selectable<Tables['servers']> & {
  readonly project_count: number | null
  readonly people_authority_key: string | null
}

function toServer(row: ServerRow): Server {
  return {
    ...toServerAddress(row),
    organizationId: row.organization_id,
    edge: row.edge,
    projectCount: row.project_count ?? 0,
    peopleAuthorityKey: row.people_authority_key,
    createdAt: row.created_at,
  }
}
