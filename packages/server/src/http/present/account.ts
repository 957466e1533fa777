// An account, as JSON for platform administrators.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Profile } from '../../store/people/users.ts'

export const presentAccount = (profile: Profile): RouteAnswer<Routes['findAccounts']>[number] => ({
  id: profile.id,
  name: profile.name,
  email: profile.email,
  is_platform_admin: profile.isPlatformAdmin,
  organizations: profile.organizations.map(({ id, name, role }) => ({ id, name, role })),
})
