// A session of a user as JSON, without its token.
import type { Session } from '@shipway/api/sessions'
import type { SignIn } from '../../operations/credentials/list-sign-ins.ts'
import { presentTime } from './time.ts'

export function presentSession(signIn: SignIn): Session {
  return {
    id: signIn.id,
    kind: signIn.kind,
    created_at: presentTime(signIn.createdAt),
    last_used_at: presentTime(signIn.lastUsedAt),
    expires_at: presentTime(signIn.endsAt),
    address: signIn.address,
    user_agent: signIn.userAgent,
    is_current: signIn.isCurrent,
  }
}
