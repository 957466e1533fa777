// A personal token as JSON, without the token itself.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { PersonalToken } from '../../store/credentials/personal-tokens.ts'
import { presentTime } from './time.ts'

export function presentToken(token: PersonalToken): RouteAnswer<Routes['listTokens']>[number] {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    organization_id: token.organizationId,
    created_at: presentTime(token.createdAt),
    expires_at: presentTime(token.expiresAt),
    last_used_at: presentTime(token.lastUsedAt),
  }
}
