// Who a token or a session belongs to, with the roles of that user: one query for every request.
import type { Role } from '@shipway/api/people'
import { SCOPES, type Scope } from '@shipway/api/route'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Credential } from '../../domain/people/actor.ts'
import { sessionEnd } from '../../domain/people/session.ts'
import { isLockedOut, isLockedOutOfPlatform } from '../../domain/people/two-factor.ts'
import { hasTwoFactor, platformRequiresTwoFactor } from '../people/two-factor.ts'
import type { Tables } from '../tables/tables.ts'

export type FoundCredential = {
  readonly credential: Credential
  readonly user: {
    readonly id: number
    readonly name: string
    readonly isPlatformAdmin: boolean
    readonly isLockedOut: boolean
  }
  /** Without organizations that the user is locked out of. */
  readonly roles: ReadonlyMap<number, Role>
  /** Organizations that require two factors, which the user lacks. */
  readonly locked: ReadonlySet<number>
  readonly scopes: ReadonlySet<Scope>
  /** The organization that the token is bound to. */
  readonly organizationId: number | null
  readonly expiresAt: number
  readonly lastUsedAt: number | null
}

export async function findSessionCredential(db: Kysely<Tables>, digest: string): Promise<FoundCredential | undefined> {
  const rows = await select<{ id: number; expires_at: number; last_seen_at: number }>(
    db,
    sql`s.id, s.expires_at, s.last_seen_at`,
    sql`sessions s on s.user_id = u.id where s.token_digest = ${digest}`,
  )
  const row = rows[0]
  if (!row) return undefined
  const expiresAt = sessionEnd({ expiresAt: row.expires_at, lastSeenAt: row.last_seen_at })
  return {
    ...userOf(rows, row),
    credential: { kind: 'session', id: row.id, expiresAt },
    scopes: new Set(SCOPES),
    organizationId: null,
    expiresAt,
    lastUsedAt: row.last_seen_at,
  }
}

export async function findPersonalCredential(db: Kysely<Tables>, digest: string): Promise<FoundCredential | undefined> {
  const rows = await select<PersonalRow>(
    db,
    sql`t.id, t.scopes, t.organization_id, t.expires_at, t.last_used_at`,
    sql`personal_tokens t on t.user_id = u.id where t.token_digest = ${digest} and t.revoked_at is null`,
  )
  const row = rows[0]
  if (!row) return undefined
  return {
    ...userOf(rows, row),
    credential: {
      kind: 'personal',
      id: row.id,
      expiresAt: row.expires_at,
      organizationId: row.organization_id,
    },
    scopes: scopesOf(row.scopes.split(' ')),
    organizationId: row.organization_id,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}

/** An access token of the OAuth server; its scopes are in the OAuth record. */
export async function findOauthCredential(db: Kysely<Tables>, digest: string): Promise<FoundCredential | undefined> {
  const rows = await select<{ payload: string; grant_digest: string | null; expires_at: number | null }>(
    db,
    sql`o.payload, o.grant_digest, o.expires_at`,
    sql`oauth_records o on o.user_id = u.id
      where o.kind = 'AccessToken' and o.id_digest = ${digest} and o.consumed_at is null`,
  )
  const row = rows[0]
  if (!row || row.expires_at === null || row.grant_digest === null) return undefined
  const payload: { scope?: string } = JSON.parse(row.payload)
  return {
    ...userOf(rows, row),
    credential: { kind: 'oauth', grant: row.grant_digest, expiresAt: row.expires_at },
    scopes: scopesOf((payload.scope ?? '').split(' ')),
    organizationId: null,
    expiresAt: row.expires_at,
    lastUsedAt: null,
  }
}

type PersonalRow = {
  readonly id: number
  readonly scopes: string
  readonly organization_id: number | null
  readonly expires_at: number
  readonly last_used_at: number | null
}

type UserRow = {
  readonly user_id: number
  readonly user_name: string
  readonly is_platform_admin: 0 | 1
  readonly member_of: number | null
  readonly role: Role | null
  readonly require_two_factor: 0 | 1 | null
  readonly has_two_factor: 0 | 1
  readonly platform_requires: 0 | 1
}

/**
 * Written as text: every request asks this, and building the query anew took three times as long as running it. A sign-in that was under
 * way while the account was deleted leaves a credential, which is worth nothing.
 */
async function select<Row>(
  db: Kysely<Tables>,
  columns: RawBuilder<unknown>,
  credential: RawBuilder<unknown>,
): Promise<(Row & UserRow)[]> {
  const { rows } = await sql<Row & UserRow>`
    select ${columns}, u.id as user_id, u.name as user_name, u.is_platform_admin, m.organization_id as member_of, m.role,
      org.require_two_factor, ${hasTwoFactor} as has_two_factor, ${platformRequiresTwoFactor} as platform_requires
    from users u left join memberships m on m.user_id = u.id left join organizations org on org.id = m.organization_id
    join ${credential} and u.deleted_at is null`.execute(db)
  return rows
}

/** The one place where a user without the required second factor loses access: what has no role here is not reached by any call. */
function userOf(rows: readonly UserRow[], row: UserRow): Pick<FoundCredential, 'user' | 'roles' | 'locked'> {
  const facts = { hasTwoFactor: row.has_two_factor === 1, isRequiredByPlatform: row.platform_requires === 1 }
  const roles = new Map<number, Role>()
  const locked = new Set<number>()
  for (const { member_of: id, role, require_two_factor } of rows) {
    if (id === null || role === null) continue
    if (isLockedOut(facts, { requiresTwoFactor: require_two_factor === 1 })) locked.add(id)
    else roles.set(id, role)
  }
  const isOut = isLockedOutOfPlatform(facts)
  const isPlatformAdmin = row.is_platform_admin === 1 && !isOut
  return { user: { id: row.user_id, name: row.user_name, isPlatformAdmin, isLockedOut: isOut }, roles, locked }
}

const scopesOf = (names: readonly string[]): ReadonlySet<Scope> =>
  new Set(SCOPES.filter((scope) => names.includes(scope)))
