// The current user as JSON: who it is, where it is a member, and with which token it came.
import type { Me } from '@shipway/api/people'
import type { z } from 'zod'
import { type Actor, boundOrganization } from '../../domain/people/actor.ts'
import type { Profile } from '../../store/people/users.ts'
import { presentTime } from './time.ts'

/** There is no actor yet for a user who has just signed in and gets the cookie with this answer. */
export function presentMe(profile: Profile, actor?: Actor): z.input<typeof Me> {
  const bound = actor ? boundOrganization(actor) : null
  const organizations = profile.organizations.filter(({ id }) => bound === null || id === bound)
  const locked = organizations.filter(({ isLocked }) => isLocked)
  return {
    id: profile.id,
    name: profile.name,
    email: profile.email,
    is_platform_admin: profile.isPlatformAdmin && !profile.isLockedOut,
    organizations: organizations.filter(({ isLocked }) => !isLocked).map(presentMembership),
    needs_two_factor:
      locked.length > 0 || profile.isLockedOut
        ? { by_platform: profile.isLockedOut, organizations: locked.map(presentMembership) }
        : null,
    token: actor ? presentCredential(actor) : null,
  }
}

const presentMembership = ({ id, name, role }: Profile['organizations'][number]) => ({ id, name, role })

function presentCredential({ credential, scopes }: Actor): z.input<typeof Me>['token'] {
  if (credential.kind === 'session') return null
  return { kind: credential.kind, scopes: [...scopes], expires_at: presentTime(credential.expiresAt) }
}
