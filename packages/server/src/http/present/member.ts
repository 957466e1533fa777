// A member of an organization as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Member } from '../../store/people/memberships.ts'
import { presentTime } from './time.ts'

export function presentMember(member: Member): RouteAnswer<Routes['updateMember']> {
  return {
    user: { id: member.id, name: member.name, email: member.email },
    role: member.role,
    since: presentTime(member.since),
  }
}
