// Rows of users, and each of them with the organizations it is in.
import type { Role } from '@shipway/api/people'
import type { Insertable, Kysely, Updateable } from 'kysely'
import { NO_PASSWORD } from '../../domain/people/no-password.ts'
import { isLockedOut, isLockedOutOfPlatform } from '../../domain/people/two-factor.ts'
import type { Change } from '../change.ts'
import { notifyOfName } from '../implied-events.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { hasTwoFactor, platformRequiresTwoFactor } from './two-factor.ts'

/** The hash is in no other record: only what checks a password asks for it. */
export type Account = {
  readonly id: number
  readonly name: string
  readonly email: string
  /** Undefined for users who sign in only with the provider. */
  readonly passwordHash: string | undefined
}

type ProfileOrganization = {
  readonly id: number
  readonly name: string
  readonly role: Role
  /** Two factors are required here, which this user lacks. */
  readonly isLocked: boolean
}

export type Profile = {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly isPlatformAdmin: boolean
  readonly organizations: readonly ProfileOrganization[]
  readonly createdAt: number
  readonly hasTwoFactor: boolean
  /** The platform requires two factors, which this user lacks. */
  readonly isLockedOut: boolean
}

export async function countUsers(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findAccount(db: Kysely<Tables>, id: number): Promise<Account | undefined> {
  return toAccount(await selectAccounts(db).where('id', '=', id).executeTakeFirst())
}

export async function findAccountByEmail(db: Kysely<Tables>, emailKey: string): Promise<Account | undefined> {
  return toAccount(await selectAccounts(db).where('email_key', '=', emailKey).executeTakeFirst())
}

/** The user with every organization, whatever the token or the header of a request narrows it to. */
export async function findProfile(db: Kysely<Tables>, id: number): Promise<Profile | undefined> {
  const rows = await selectProfiles(db).where('u.id', '=', id).execute()
  return rows[0] && toProfile(rows[0], rows)
}

/** All users with their organizations, newest first. */
export async function listProfiles(db: Kysely<Tables>, page: PageRequest): Promise<Page<Profile>> {
  const users = await db
    .selectFrom('users')
    .where('deleted_at', 'is', null)
    .where('id', '<', page.before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .select('id')
    .execute()
  const { items, next } = pageOf(users, page)
  if (items.length === 0) return { items: [], next }
  const ids = items.map(({ id }) => id)
  const byUser = Map.groupBy(await selectProfiles(db).where('u.id', 'in', ids).execute(), ({ id }) => id)
  return {
    items: ids.flatMap((id) => {
      const rows = byUser.get(id) ?? []
      return rows[0] ? [toProfile(rows[0], rows)] : []
    }),
    next,
  }
}

/** A row for each membership, or one without an organization. */
function selectProfiles(db: Kysely<Tables>) {
  return db
    .selectFrom('users as u')
    .leftJoin('memberships as m', 'm.user_id', 'u.id')
    .leftJoin('organizations as o', 'o.id', 'm.organization_id')
    .where('u.deleted_at', 'is', null)
    .orderBy('o.id')
    .select(['u.id', 'u.name', 'u.email', 'u.is_platform_admin', 'u.created_at'])
    .select(['o.id as organization_id', 'o.name as organization_name', 'm.role', 'o.require_two_factor'])
    .select([hasTwoFactor.as('has_two_factor'), platformRequiresTwoFactor.as('platform_requires')])
}

type ProfileRow = Awaited<ReturnType<ReturnType<typeof selectProfiles>['execute']>>[number]

function toProfile(user: ProfileRow, rows: readonly ProfileRow[]): Profile {
  const facts = { hasTwoFactor: user.has_two_factor === 1, isRequiredByPlatform: user.platform_requires === 1 }
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    isPlatformAdmin: user.is_platform_admin === 1,
    organizations: rows.flatMap(({ organization_id: id, organization_name: name, role, require_two_factor }) =>
      id !== null && name !== null && role !== null
        ? [{ id, name, role, isLocked: isLockedOut(facts, { requiresTwoFactor: require_two_factor === 1 }) }]
        : [],
    ),
    createdAt: user.created_at,
    hasTwoFactor: facts.hasTwoFactor,
    isLockedOut: isLockedOutOfPlatform(facts),
  }
}

export async function insertUser(tx: Change, values: Insertable<Tables['users']>): Promise<number> {
  const { id } = await tx.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateUser(tx: Change, id: number, values: Updateable<Tables['users']>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await tx.updateTable('users').set(values).where('id', '=', id).execute()
  tx.notify({ about: 'user', id, how: 'updated' })
  if (values.name === undefined) return
  // Other members see the name in many places.
  const rows = await tx.selectFrom('memberships').where('user_id', '=', id).select('organization_id').execute()
  for (const { organization_id } of rows) tx.notify({ about: 'organization', id: organization_id, how: 'updated' })
  await notifyOfName(tx, id)
}

export async function hasOtherAdministrator(db: Kysely<Tables>, id: number): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .where('id', '!=', id)
    .where('is_platform_admin', '=', 1)
    .where('deleted_at', 'is', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Nothing is left to sign in with, nor to reach the person by; the name stays beside what the person did. */
export async function eraseAccount(tx: Change, id: number, at: number): Promise<void> {
  for (const table of CREDENTIALS) await tx.deleteFrom(table).where('user_id', '=', id).execute()
  // The key is no valid address, so no account can have it.
  const kept = { email: `deleted-${id}@deleted.invalid`, email_key: `deleted ${id}` }
  const erased = { ...kept, password_hash: NO_PASSWORD, is_platform_admin: 0 as const, deleted_at: at }
  await tx.updateTable('users').set(erased).where('id', '=', id).execute()
  tx.notify({ about: 'user', id, how: 'updated' })
}

const CREDENTIALS = [
  ...(['sessions', 'personal_tokens', 'oauth_records', 'password_resets', 'second_factors', 'recovery_codes'] as const),
  ...(['identities', 'provider_requests', 'watches'] as const),
]

/** Makes whatever else locks this user wait for the end of the transaction. */
export async function lockUser(db: Kysely<Tables>, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', id)
    .execute()
}

/** Of two administrators who are deleted at once, one stays: neither sees the other as one who stays. */
export async function lockAdministrators(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('is_platform_admin', '=', 1)
    .execute()
}

/** The same, and false when the password is no longer the one that was checked. */
export async function lockAccount(db: Kysely<Tables>, account: Account): Promise<boolean> {
  const locked = await db
    .updateTable('users')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', account.id)
    .where('password_hash', '=', account.passwordHash ?? NO_PASSWORD)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  return locked.length === 1
}

function selectAccounts(db: Kysely<Tables>) {
  return db
    .selectFrom('users')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'email', 'password_hash as passwordHash'])
}

function toAccount(row: (Account & { readonly passwordHash: string }) | undefined): Account | undefined {
  return row && { ...row, passwordHash: row.passwordHash === NO_PASSWORD ? undefined : row.passwordHash }
}
