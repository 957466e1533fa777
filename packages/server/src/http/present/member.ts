// A member of an organization as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Actor } from '../../domain/people/actor.ts'
import { may } from '../../domain/people/permissions.ts'
import type { Member } from '../../store/people/memberships.ts'
import { presentTime } from './time.ts'

/** Shown only to users who can act on it: it says who is easier to attack. */
type Viewer = { readonly actor: Actor; readonly organizationId: number }

export function presentMember(member: Member, viewer: Viewer): RouteAnswer<Routes['updateMember']> {
  return {
    user: { id: member.id, name: member.name, email: member.email },
    role: member.role,
    since: presentTime(member.since),
    has_two_factor: may(viewer.actor, 'manage_members', viewer.organizationId) ? member.hasTwoFactor : null,
  }
}
