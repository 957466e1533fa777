// An organization as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Organization } from '../../store/people/organizations.ts'
import { presentTime } from './time.ts'

export function presentOrganization(organization: Organization): RouteAnswer<Routes['getOrganization']> {
  return {
    id: organization.id,
    name: organization.name,
    role: organization.role,
    created_at: presentTime(organization.createdAt),
    require_two_factor: organization.requiresTwoFactor,
  }
}
