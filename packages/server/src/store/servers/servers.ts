// Rows of servers, visible only through the caller's organizations.
import { hasNodes, RUNTIMES } from '@shipway/api/values/runtime-facts'
import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import { type Actor, organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import { notifyOfServer } from '../implied-events.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { deleteUnusedMachine } from './machines.ts'
import { deleteManager, listManagers, listManagersOf, type ServerManager } from './managers.ts'
import { listNodesOf, type SeenNodes } from './nodes.ts'
import { toServerAddress } from './server-addresses.ts'

export type Server = ServerAddress & {
  readonly organizationId: number
  readonly edge: 'haproxy' | 'embedded'
  readonly projectCount: number
  /** Of a Swarm; empty elsewhere. */
  readonly managers: readonly ServerManager[]
  readonly nodes: SeenNodes | undefined
  readonly registry: { readonly address: string; readonly username: string } | null
  /** Pinned when a manager first named it. */
  readonly swarmId: string | null
  /** The public key of the authority for the people of its organization; null before there is one. */
  readonly peopleAuthorityKey: string | null
  readonly createdAt: number
}

export async function findServer(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Server | undefined> {
  const row = await selectServers(db, actor).where('s.id', '=', id).executeTakeFirst()
  return row && (await toServers(db, [row]))[0]
}

export async function listServers(db: Kysely<Tables>, actor: Actor, page: PageRequest): Promise<Page<Server>> {
  const rows = await selectServers(db, actor)
    .$if(page.before !== undefined, (query) => query.where('s.id', '<', page.before ?? 0))
    .orderBy('s.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(await toServers(db, rows), page)
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

/** Those that the platform has signed in to once. */
export async function listServersWithNodes(db: Kysely<Tables>): Promise<readonly ServerAddress[]> {
  const runtimes = RUNTIMES.filter((name) => hasNodes[name])
  const rows = await db.selectFrom('servers').where('runtime', 'in', runtimes).orderBy('id').selectAll().execute()
  return rows.filter((row) => row.signed_in_at !== null || row.connection === 'local').map(toServerAddress)
}

export async function findServerAddress(db: Kysely<Tables>, id: number): Promise<ServerAddress | undefined> {
  const row = await db.selectFrom('servers').where('id', '=', id).selectAll().executeTakeFirst()
  return row && toServerAddress(row)
}

/** Undefined if there is no such server; null before a manager has named its Swarm. */
export async function findSwarmId(db: Kysely<Tables>, id: number): Promise<string | null | undefined> {
  const row = await db.selectFrom('servers').where('id', '=', id).select('swarm_id').executeTakeFirst()
  return row?.swarm_id
}

export async function findOrganizationOf(db: Kysely<Tables>, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('servers').where('id', '=', id).select('organization_id').executeTakeFirst()
  return row?.organization_id
}

/** The registry that an organization named for a server. */
export type SealedRegistry = { readonly address: string; readonly username: string; readonly passwordSealed: string }

/** Undefined where the registry is the one on its managers. */
export async function findRegistry(db: Kysely<Tables>, serverId: number): Promise<SealedRegistry | undefined> {
  const row = await db
    .selectFrom('servers')
    .where('id', '=', serverId)
    .select(['registry_address', 'registry_username', 'registry_password_sealed'])
    .executeTakeFirst()
  const { registry_address: address, registry_username: username, registry_password_sealed: sealed } = row ?? {}
  if (!address || !username || !sealed) return undefined
  return { address, username, passwordSealed: sealed }
}

/** Serializes changes of a server. Inside a transaction only. */
export async function lockServer(db: Kysely<Tables>, id: number): Promise<void> {
  await sql`update servers set id = id where id = ${id}`.execute(db)
}

/** A machine is released with its last server. */
export async function deleteServer(tx: Change, id: number): Promise<void> {
  for (const manager of await listManagers(tx, id)) await deleteManager(tx, id, manager)
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

async function toServers(db: Kysely<Tables>, rows: readonly ServerRow[]): Promise<readonly Server[]> {
  const swarms = rows.filter(({ runtime }) => hasNodes[runtime]).map(({ id }) => id)
  const [managers, nodes] = [await listManagersOf(db, swarms), await listNodesOf(db, swarms)]
  return rows.map((row) => toServer(row, { managers: managers.get(row.id) ?? [], nodes: nodes.get(row.id) }))
}

function toServer(row: ServerRow, swarm: Pick<Server, 'managers' | 'nodes'>): Server {
  const { registry_address: address, registry_username: username } = row
  return {
    ...toServerAddress(row),
    organizationId: row.organization_id,
    edge: row.edge,
    projectCount: row.project_count ?? 0,
    peopleAuthorityKey: row.people_authority_key,
    createdAt: row.created_at,
    registry: address === null || username === null ? null : { address, username },
    swarmId: row.swarm_id,
    ...swarm,
  }
}
