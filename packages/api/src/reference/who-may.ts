// Who may call an endpoint, in words.
import type { Permission } from '../route.ts'

export const WHO_MAY: Readonly<Record<Permission, string>> = {
  public: 'Anybody, without signing in',
  signed_in: 'Anybody who is signed in',
  read: 'Members of the organization, from the role viewer up',
  deploy: 'Members of the organization, from the role member up',
  certificate: 'Members of the organization, from the role viewer up; for a shell from the role admin up',
  administer: 'Members of the organization, from the role admin up',
  manage_members: 'Members of the organization, from the role admin up, for roles up to their own',
  own_organization: 'Members of the organization with the role owner',
  own_project: 'The owner of the project',
  choose_recipe: 'Members of the organization, from the role admin up',
  allow_manual_recipe: 'Members of the organization with the role owner',
  platform_admin: 'Platform administrators',
}
