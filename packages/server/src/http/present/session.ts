// A session of a user as JSON, without its token.
import type { Session } from '@shipway/api/sessions'
import type { SignInPlace } from '../../operations/credentials/list-sign-ins.ts'
import { presentTime } from './time.ts'

export function presentSession(place: SignInPlace): Session {
  return {
    id: place.id,
    kind: place.kind,
    created_at: presentTime(place.createdAt),
    last_used_at: presentTime(place.lastUsedAt),
    expires_at: presentTime(place.endsAt),
    address: place.address,
    user_agent: place.userAgent,
    is_current: place.isCurrent,
  }
}
