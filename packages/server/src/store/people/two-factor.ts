// Which accounts have two factors, and where they are required.
import { type Kysely, sql } from 'kysely'
import { NO_PASSWORD } from '../../domain/people/no-password.ts'
import type { Change } from '../change.ts'
import { deleteSetting, findSetting, updateSetting } from '../settings.ts'
import type { Tables } from '../tables/tables.ts'

/** 1 for a user (`u`) whom no password alone signs in: see domain/people/two-factor.ts. */
export const hasTwoFactor = sql<0 | 1>`case when u.password_hash = ${NO_PASSWORD} or exists
  (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null) then 1 else 0 end`

/** 1 while the platform requires two factors of every user. */
export const platformRequiresTwoFactor = sql<0 | 1>`case when exists
  (select 1 from settings where key = 'require_two_factor') then 1 else 0 end`

/** 1 for a member (`u`) who has no access to the organization (`o`) now, for lack of the second factor that is required there. */
export const isLockedOut = sql<0 | 1>`case when ${hasTwoFactor} = 0
  and (o.require_two_factor = 1 or ${platformRequiresTwoFactor} = 1) then 1 else 0 end`

export async function findTwoFactor(db: Kysely<Tables>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users as u')
    .where('u.id', '=', userId)
    .select(hasTwoFactor.as('has'))
    .executeTakeFirst()
  return row?.has === 1
}

export const findPlatformTwoFactor = async (db: Kysely<Tables>): Promise<boolean> =>
  (await findSetting(db, 'require_two_factor')) !== undefined

export async function updatePlatformTwoFactor(tx: Change, isRequired: boolean): Promise<void> {
  if (isRequired) await updateSetting(tx, 'require_two_factor', '1')
  else await deleteSetting(tx, 'require_two_factor', '1')
}

type LockedMembership = { readonly userId: number; readonly organizationId: number }

type LockedWhere = { readonly organizationId?: number; readonly userId?: number }

/** Memberships that give no access now. */
export async function listLockedMemberships(
  db: Kysely<Tables>,
  { organizationId, userId }: LockedWhere,
): Promise<readonly LockedMembership[]> {
  const { rows } = await sql<LockedMembership>`
    select u.id as "userId", m.organization_id as "organizationId"
    from users u join memberships m on m.user_id = u.id join organizations o on o.id = m.organization_id
    where u.deleted_at is null and ${isLockedOut} = 1
      and (${organizationId ?? 0} = 0 or o.id = ${organizationId ?? 0}) and (${userId ?? 0} = 0 or u.id = ${userId ?? 0})
    order by u.id, m.organization_id`.execute(db)
  return rows
}

/** Users whose access depends on whether the platform requires two factors. */
export async function listUsersWithoutTwoFactor(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u where u.deleted_at is null and ${hasTwoFactor} = 0 order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The same among the members of an organization. */
export async function listMembersWithoutTwoFactor(
  db: Kysely<Tables>,
  organizationId: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u join memberships m on m.user_id = u.id
    where m.organization_id = ${organizationId} and ${hasTwoFactor} = 0 order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}
