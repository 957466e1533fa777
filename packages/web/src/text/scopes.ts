// Descriptions of token scopes.
import type { Scope } from '@shipway/api'

export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  read: 'Read projects, environments, deployments and their output',
  deploy: 'Deploy, cancel, run actions, and change environments',
  'vars:write': 'Change the variables of environments',
  ssh: 'Get certificates for access to servers over SSH',
  admin: 'Administer projects, servers, members and your own account',
}
