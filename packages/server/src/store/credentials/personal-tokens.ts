// Rows of personal_tokens; the token itself is never kept, only its digest.
import { SCOPES, type Scope } from '@shipway/api/route'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { type Actor, boundOrganization, organizationsOf } from '../../domain/people/actor.ts'
import type { Change } from '../change.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

export type PersonalToken = {
  readonly id: number
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly organizationId: number | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastUsedAt: number | null
}

export async function findPersonalToken(
  db: Kysely<Tables>,
  actor: Actor,
  id: number,
): Promise<PersonalToken | undefined> {
  const row = await selectPersonalTokens(db, actor).where('id', '=', id).executeTakeFirst()
  return row && toPersonalToken(row)
}

export async function listPersonalTokens(
  db: Kysely<Tables>,
  actor: Actor,
  page: PageRequest,
): Promise<Page<PersonalToken>> {
  const rows = await selectPersonalTokens(db, actor)
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before ?? 0))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(rows.map(toPersonalToken), page)
}

/** Valid ones. */
export async function countLivePersonalTokens(db: Kysely<Tables>, userId: number, now: number): Promise<number> {
  const row = await db
    .selectFrom('personal_tokens')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertPersonalToken(tx: Change, values: Insertable<Tables['personal_tokens']>): Promise<number> {
  const { id } = await tx.insertInto('personal_tokens').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'user', id: values.user_id, how: 'updated' })
  return id
}

export async function updatePersonalTokenUse(db: Kysely<Tables>, id: number, at: number): Promise<void> {
  await db.updateTable('personal_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** A revoked token keeps its row, so that the audit log has something to point at. */
export async function updatePersonalTokenRevoked(tx: Change, id: number, at: number): Promise<void> {
  const revoked = await tx
    .updateTable('personal_tokens')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  if (revoked) tx.notify({ about: 'user', id: revoked.user_id, how: 'updated' })
}

/** Ends all tokens of a user. Returns how many there were. */
export async function updateEveryPersonalTokenRevoked(tx: Change, userId: number, at: number): Promise<number> {
  const revoked = await tx
    .updateTable('personal_tokens')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('id')
    .execute()
  tx.notify({ about: 'user', id: userId, how: 'updated' })
  return revoked.length
}

/** Ends the tokens of a user that are bound to an organization, so that a later return does not bring them back. */
export async function updatePersonalTokensRevoked(
  tx: Change,
  { userId, organizationId, at }: { readonly userId: number; readonly organizationId: number; readonly at: number },
): Promise<void> {
  await tx
    .updateTable('personal_tokens')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .execute()
  tx.notify({ about: 'user', id: userId, how: 'updated' })
}

/** A caller sees its own tokens: those of the organizations it reaches, and the unbound ones unless it is bound. */
function selectPersonalTokens(db: Kysely<Tables>, actor: Actor) {
  const isBound = boundOrganization(actor) !== null
  return db
    .selectFrom('personal_tokens')
    .where('user_id', '=', actor.userId)
    .where('revoked_at', 'is', null)
    .where((eb) => {
      const organizations = organizationsOf(actor)
      const inReach = organizations.length > 0 ? eb('organization_id', 'in', organizations) : eb.lit(false)
      return isBound ? inReach : eb.or([eb('organization_id', 'is', null), inReach])
    })
    .selectAll()
}

function toPersonalToken(row: Selectable<Tables['personal_tokens']>): PersonalToken {
  const names = row.scopes.split(' ')
  return {
    id: row.id,
    name: row.name,
    scopes: SCOPES.filter((scope) => names.includes(scope)),
    organizationId: row.organization_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}
