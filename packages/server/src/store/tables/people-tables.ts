// The tables of people: who they are, what they sign in with, and the organizations that they belong to.
import type { Generated } from 'kysely'

export interface PeopleTables {
  users: UsersTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  organizations: OrganizationsTable
  memberships: MembershipsTable
  invitations: InvitationsTable
  personal_tokens: PersonalTokensTable
  oauth_records: OauthRecordsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  identities: IdentitiesTable
  provider_requests: ProviderRequestsTable
}

interface UsersTable {
  id: Generated<number>
  email: string
  email_key: string
  name: string
  password_hash: string
  is_platform_admin: Generated<0 | 1>
  /** Set for an account that was deleted: the row is all that is left of it. */
  deleted_at: number | null
  created_at: number
}

interface SessionsTable {
  id: Generated<number>
  user_id: number
  token_digest: string
  address: string | null
  user_agent: string | null
  created_at: number
  last_seen_at: number
  expires_at: number
}

interface PasswordResetsTable {
  id: Generated<number>
  user_id: number
  token_digest: string
  created_at: number
  expires_at: number
  used_at: number | null
}

interface OrganizationsTable {
  id: Generated<number>
  name: string
  created_at: number
  require_two_factor: Generated<0 | 1>
}

interface MembershipsTable {
  organization_id: number
  user_id: number
  role: 'viewer' | 'member' | 'admin' | 'owner'
  created_at: number
}

interface InvitationsTable {
  id: Generated<number>
  organization_id: number
  email: string
  email_key: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
  token_digest: string
  invited_by: number
  created_at: number
  expires_at: number
  accepted_at: number | null
}

interface PersonalTokensTable {
  id: Generated<number>
  user_id: number
  organization_id: number | null
  name: string
  token_digest: string
  scopes: string
  created_at: number
  expires_at: number
  last_used_at: number | null
  revoked_at: number | null
}

interface OauthRecordsTable {
  kind: string
  id_digest: string
  user_id: number | null
  grant_digest: string | null
  user_code_digest: string | null
  polled_at: number | null
  payload: string
  created_at: number
  expires_at: number | null
  consumed_at: number | null
}

interface SecondFactorsTable {
  user_id: number
  key_id: string
  secret_sealed: string
  created_at: number
  confirmed_at: number | null
  last_step: Generated<number>
}

interface RecoveryCodesTable {
  user_id: number
  code_digest: string
}

interface IdentitiesTable {
  id: Generated<number>
  user_id: number
  issuer: string
  subject: string
  email: string | null
  created_at: number
  last_used_at: number | null
}

interface ProviderRequestsTable {
  token_digest: string
  user_id: number | null
  next: string
  expires_at: number
}
