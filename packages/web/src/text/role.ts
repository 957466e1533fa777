// Descriptions of roles.
import type { Role } from '@shipway/api'

export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  viewer: 'Read-only access to everything',
  member: 'Deploys, and changes environments and their variables',
  admin: 'Also manages projects, servers and members',
  owner: 'Can do everything, including deleting the organization',
}
