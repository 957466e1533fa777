// Rows of organizations, seen only by their members, each with the role that the member has now.
import type { Role } from '@shipway/api/people'
import type { Kysely, Selectable, Updateable } from 'kysely'
import { type Actor, organizationsOf } from '../../domain/people/actor.ts'
import type { Change } from '../change.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

export type Organization = {
  readonly id: number
  readonly name: string
  /** The caller's. */
  readonly role: Role
  readonly createdAt: number
  /** Members without two factors have no access. */
  readonly requiresTwoFactor: boolean
}

export async function findOrganization(
  db: Kysely<Tables>,
  actor: Actor,
  id: number,
): Promise<Organization | undefined> {
  // Token and header narrow what is visible; the membership itself is read again.
  if (!actor.roles.has(id)) return undefined
  const row = await selectOrganizations(db, actor).where('o.id', '=', id).executeTakeFirst()
  return row && toOrganization(row)
}

export async function listOrganizations(
  db: Kysely<Tables>,
  actor: Actor,
  page: PageRequest,
): Promise<Page<Organization>> {
  const rows = await selectOrganizations(db, actor)
    .where('o.id', 'in', organizationsOf(actor))
    .$if(page.before !== undefined, (query) => query.where('o.id', '<', page.before ?? 0))
    .orderBy('o.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(rows.map(toOrganization), page)
}

export async function insertOrganization(
  tx: Change,
  values: { readonly name: string; readonly created_at: number },
): Promise<number> {
  const { id } = await tx.insertInto('organizations').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'organization', id, how: 'created' })
  return id
}

export async function updateOrganization(
  tx: Change,
  id: number,
  values: Updateable<Tables['organizations']>,
): Promise<void> {
  await tx.updateTable('organizations').set(values).where('id', '=', id).execute()
  tx.notify({ about: 'organization', id, how: 'updated' })
}

/** Locks the row until the transaction ends, so that changes of members come one after the other. */
export async function lockOrganization(db: Kysely<Tables>, id: number): Promise<void> {
  await db
    .updateTable('organizations')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', id)
    .execute()
}

/** Members, invitations and tokens of the organization go with it. */
export async function deleteOrganization(tx: Change, id: number): Promise<void> {
  const members = await tx.selectFrom('memberships').where('organization_id', '=', id).select('user_id').execute()
  await tx.deleteFrom('organizations').where('id', '=', id).execute()
  for (const { user_id } of members) tx.notify({ about: 'user', id: user_id, how: 'updated' })
  tx.notify({ about: 'organization', id, how: 'deleted', organizationId: id })
}

/** What prevents its deletion. */
export async function findUseOfOrganization(
  db: Kysely<Tables>,
  id: number,
): Promise<{ readonly projects: number; readonly servers: number }> {
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('projects')
        .where('organization_id', '=', id)
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('projects'),
      eb
        .selectFrom('servers')
        .where('organization_id', '=', id)
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('servers'),
    ])
    .executeTakeFirstOrThrow()
  return { projects: row.projects ?? 0, servers: row.servers ?? 0 }
}

function selectOrganizations(db: Kysely<Tables>, actor: Actor) {
  return db
    .selectFrom('organizations as o')
    .innerJoin('memberships as m', 'm.organization_id', 'o.id')
    .where('m.user_id', '=', actor.userId)
    .selectAll('o')
    .select('m.role')
}

function toOrganization(row: Selectable<Tables['organizations']> & { role: Role }): Organization {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    requiresTwoFactor: row.require_two_factor === 1,
  }
}
