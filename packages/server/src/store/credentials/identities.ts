// Rows of identities: people as a provider knows them, by issuer and subject alone.
import type { Insertable, Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type Identity = {
  readonly id: number
  readonly userId: number
  readonly email: string | null
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

type ByProvider = { readonly issuer: string; readonly subject: string }

export function findIdentity(db: Kysely<Tables>, { issuer, subject }: ByProvider): Promise<Identity | undefined> {
  return selectIdentities(db).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()
}

export function findIdentityOf(db: Kysely<Tables>, userId: number, issuer: string): Promise<Identity | undefined> {
  return selectIdentities(db).where('user_id', '=', userId).where('issuer', '=', issuer).executeTakeFirst()
}

export async function insertIdentity(tx: Change, values: Insertable<Tables['identities']>): Promise<void> {
  await tx.insertInto('identities').values(values).execute()
}

/** False if it was unlinked meanwhile. */
export async function updateIdentityUse(tx: Change, id: number, at: number): Promise<boolean> {
  const used = await tx
    .updateTable('identities')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

/** False if there is none. */
export async function deleteIdentityOf(tx: Change, userId: number, issuer: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

const selectIdentities = (db: Kysely<Tables>) =>
  db
    .selectFrom('identities')
    .select(['id', 'user_id as userId', 'email', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
