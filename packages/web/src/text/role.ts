// Descriptions of roles.
import type { Role } from '@shipway/api'

export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  viewer: 'Looks at everything, changes nothing',
  member: 'Deploys, changes environments and their variables',
  admin: 'Also changes projects, servers and members',
  owner: 'May everything here, also delete it',
}
