// The tables of connections as Kysely sees them.
import type { ConnectionStatus, ConnectionType } from '@shipway/api/connections'
import type { Generated } from 'kysely'

export interface ConnectionTables {
  connections: ConnectionsTable
  app_setups: AppSetupsTable
  repository_access: RepositoryAccessTable
  access_removals: AccessRemovalsTable
}

interface ConnectionsTable {
  id: Generated<number>
  organization_id: number
  type: ConnectionType
  name: string
  base_url: string
  seal_id: string
  token_sealed: string | null
  account: string | null
  app_id: number | null
  app_slug: string | null
  client_id: string | null
  client_secret_sealed: string | null
  private_key_sealed: string | null
  webhook_secret_sealed: string | null
  hook_id: string | null
  installation_id: number | null
  status: ConnectionStatus
  status_reason: string | null
  checked_at: number | null
  created_at: number
  updated_at: number
}

interface AppSetupsTable {
  connection_id: number
  step: 'create' | 'install'
  state_digest: string
  user_id: number
  credential: string
  expires_at: number
}

interface RepositoryAccessTable {
  id: Generated<number>
  project_id: number
  repository: string
  deploy_key_id: string | null
  webhook_id: string | null
  has_current_secret: Generated<0 | 1>
  proven_at: number | null
  attempts: Generated<number>
  next_at: Generated<number>
  last_error: string | null
  host_fault: Generated<string | null>
}

interface AccessRemovalsTable {
  id: Generated<number>
  connection_id: number
  repository: string
  deploy_key_id: string | null
  webhook_id: string | null
  attempts: Generated<number>
  next_at: Generated<number>
  last_error: string | null
  created_at: number
}
