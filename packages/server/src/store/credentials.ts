// Who a token or a session belongs to, with the roles of that user: one query for every request.
import type { Role } from '@shipway/api/people'
import { SCOPES, type Scope } from '@shipway/api/route'
import type { Kysely } from 'kysely'
import type { Credential } from '../domain/actor.ts'
import type { Tables } from './tables.ts'

export type FoundCredential = {
  readonly credential: Credential
  readonly user: { readonly id: number; readonly name: string; readonly isPlatformAdmin: boolean }
  readonly roles: ReadonlyMap<number, Role>
  readonly scopes: ReadonlySet<Scope>
  /** The organization that the token is bound to. */
  readonly organizationId: number | null
  readonly expiresAt: number
  readonly lastUsedAt: number | null
}

export async function findSessionCredential(db: Kysely<Tables>, digest: string): Promise<FoundCredential | undefined> {
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .leftJoin('memberships as m', 'm.user_id', 'u.id')
    .where('s.token_digest', '=', digest)
    .select(['s.id', 's.expires_at', 's.last_seen_at', ...userColumns])
    .execute()
  const row = rows[0]
  if (!row) return undefined
  return {
    ...userOf(rows, row),
    credential: { kind: 'session', id: row.id },
    scopes: new Set(SCOPES),
    organizationId: null,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_seen_at,
  }
}

export async function findPersonalCredential(db: Kysely<Tables>, digest: string): Promise<FoundCredential | undefined> {
  const rows = await db
    .selectFrom('personal_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('memberships as m', 'm.user_id', 'u.id')
    .where('t.token_digest', '=', digest)
    .where('t.revoked_at', 'is', null)
    .select(['t.id', 't.scopes', 't.organization_id', 't.expires_at', 't.last_used_at', ...userColumns])
    .execute()
  const row = rows[0]
  if (!row) return undefined
  return {
    ...userOf(rows, row),
    credential: { kind: 'personal', id: row.id, expiresAt: row.expires_at },
    scopes: scopesOf(row.scopes.split(' ')),
    organizationId: row.organization_id,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}

/** An access token of the OAuth server; its scopes stand in what that server keeps of it. */
export async function findOauthCredential(db: Kysely<Tables>, digest: string): Promise<FoundCredential | undefined> {
  const rows = await db
    .selectFrom('oauth_records as o')
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .leftJoin('memberships as m', 'm.user_id', 'u.id')
    .where('o.kind', '=', 'AccessToken')
    .where('o.id_digest', '=', digest)
    .where('o.consumed_at', 'is', null)
    .select(['o.payload', 'o.grant_digest', 'o.expires_at', ...userColumns])
    .execute()
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

const userColumns = [
  'u.id as user_id',
  'u.name as user_name',
  'u.is_platform_admin',
  'm.organization_id as member_of',
  'm.role',
] as const

type UserRow = {
  readonly user_id: number
  readonly user_name: string
  readonly is_platform_admin: 0 | 1
  readonly member_of: number | null
  readonly role: Role | null
}

function userOf(rows: readonly UserRow[], row: UserRow): Pick<FoundCredential, 'user' | 'roles'> {
  const roles = rows.flatMap(({ member_of, role }) => (member_of !== null && role ? [[member_of, role] as const] : []))
  return {
    user: { id: row.user_id, name: row.user_name, isPlatformAdmin: row.is_platform_admin === 1 },
    roles: new Map(roles),
  }
}

const scopesOf = (names: readonly string[]): ReadonlySet<Scope> =>
  new Set(SCOPES.filter((scope) => names.includes(scope)))
