// Accounts and organizations, as JSON for platform administrators.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { OrganizationSummary } from '../../store/people/organization-summaries.ts'
import type { Profile } from '../../store/people/users.ts'
import { presentTime } from './time.ts'

export const presentAccount = (profile: Profile): RouteAnswer<Routes['findAccounts']>[number] => ({
  id: profile.id,
  name: profile.name,
  email: profile.email,
  is_platform_admin: profile.isPlatformAdmin,
  organizations: profile.organizations.map(({ id, name, role }) => ({ id, name, role })),
  created_at: presentTime(profile.createdAt),
  has_two_factor: profile.hasTwoFactor,
})

export const presentOrganizationSummary = (
  organization: OrganizationSummary,
): RouteAnswer<Routes['listAllOrganizations']>[number] => ({
  id: organization.id,
  name: organization.name,
  owners: organization.owners.map(({ id, name }) => ({ id, name })),
  member_count: organization.memberCount,
  project_count: organization.projectCount,
  server_count: organization.serverCount,
  created_at: presentTime(organization.createdAt),
})
