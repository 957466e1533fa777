// Rows of memberships: who is in an organization, with which role.
import type { Role } from '@shipway/api/people'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Change } from '../change.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { hasTwoFactor } from './two-factor.ts'

export type Member = {
  /** Of the user. */
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly since: number
  readonly hasTwoFactor: boolean
}

export async function findMember(
  db: Kysely<Tables>,
  organizationId: number,
  userId: number,
): Promise<Member | undefined> {
  const row = await selectMembers(db, organizationId).where('m.user_id', '=', userId).executeTakeFirst()
  return row && toMember(row)
}

export async function findMemberByEmail(
  db: Kysely<Tables>,
  organizationId: number,
  emailKey: string,
): Promise<Member | undefined> {
  const row = await selectMembers(db, organizationId).where('u.email_key', '=', emailKey).executeTakeFirst()
  return row && toMember(row)
}

/** The one that what a leaving member owned goes to. */
export async function findOldestOwner(db: Kysely<Tables>, organizationId: number): Promise<Member | undefined> {
  const row = await selectMembers(db, organizationId)
    .where('m.role', '=', 'owner')
    .orderBy('m.created_at')
    .orderBy('m.user_id')
    .limit(1)
    .executeTakeFirst()
  return row && toMember(row)
}

export async function listMembers(
  db: Kysely<Tables>,
  organizationId: number,
  page: PageRequest,
): Promise<Page<Member>> {
  const rows = await selectMembers(db, organizationId)
    .$if(page.before !== undefined, (query) => query.where('m.user_id', '<', page.before ?? 0))
    .orderBy('m.user_id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(rows.map(toMember), page)
}

export async function countOwners(db: Kysely<Tables>, organizationId: number): Promise<number> {
  const row = await db
    .selectFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertMember(tx: Change, values: Insertable<Tables['memberships']>): Promise<void> {
  await tx.insertInto('memberships').values(values).execute()
  tx.notify({ about: 'organization', id: values.organization_id, how: 'updated' })
  tx.notify({ about: 'user', id: values.user_id, how: 'updated' })
}

type MemberKey = { readonly organizationId: number; readonly userId: number }

export async function updateMemberRole(tx: Change, member: MemberKey, role: Role): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.userId)
    .execute()
  tx.notify({ about: 'organization', id: member.organizationId, how: 'updated' })
  tx.notify({ about: 'user', id: member.userId, how: 'updated' })
}

export async function deleteMember(tx: Change, member: MemberKey): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.userId)
    .execute()
  tx.notify({ about: 'organization', id: member.organizationId, how: 'updated' })
  tx.notify({ about: 'user', id: member.userId, how: 'updated' })
}

function selectMembers(db: Kysely<Tables>, organizationId: number) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.organization_id', '=', organizationId)
    .select(['m.user_id', 'u.name', 'u.email', 'm.role', 'm.created_at'])
    .select(hasTwoFactor.as('has_two_factor'))
}

type MemberRow = Omit<Selectable<Tables['memberships']>, 'organization_id'> &
  Pick<Selectable<Tables['users']>, 'name' | 'email'> & { readonly has_two_factor: 0 | 1 }

function toMember(row: MemberRow): Member {
  return {
    id: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    since: row.created_at,
    hasTwoFactor: row.has_two_factor === 1,
  }
}
