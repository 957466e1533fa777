// The tables as Kysely sees them; the migrations are what makes them so.
import type { ManualRecipe, Recipe } from '@shipway/api/values/recipe'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { RuntimeName } from '@shipway/api/values/runtime'
import type { Generated } from 'kysely'
import type { AccessTables } from './access-tables.ts'
import type { ActionTables } from './action-tables.ts'
import type { AlertTables } from './alert-tables.ts'
import type { CertificateTables } from './certificate-tables.ts'
import type { ChannelTables } from './channel-tables.ts'
import type { ConnectionTables } from './connection-tables.ts'
import type { HookTables } from './hook-tables.ts'
import type { MailTables } from './mail-tables.ts'
import type { MetricTables } from './metric-tables.ts'
import type { PeopleTables } from './people-tables.ts'
import type { RepositoryTables } from './repository-tables.ts'
import type { ServiceTables } from './service-tables.ts'
import type { SwarmTables } from './swarm-tables.ts'
import type { TaskTables } from './task-tables.ts'
import type { VariableTables } from './variable-tables.ts'

export interface Tables
  extends PeopleTables,
    TaskTables,
    ActionTables,
    RepositoryTables,
    CertificateTables,
    VariableTables,
    AccessTables,
    MailTables,
    AlertTables,
    ChannelTables,
    ConnectionTables,
    ServiceTables,
    SwarmTables,
    MetricTables,
    HookTables {
  settings: SettingsTable
  journal: JournalTable
  journal_end: JournalEndTable
  counters: CountersTable
  machines: MachinesTable
  servers: ServersTable
  server_checks: ServerChecksTable
  projects: ProjectsTable
  project_servers: ProjectServersTable
  environments: EnvironmentsTable
  domains: DomainsTable
  uploads: UploadsTable
  upload_chunks: UploadChunksTable
  service_files: ServiceFilesTable
  ports: PortsTable
  grants: GrantsTable
  routes: RoutesTable
  idempotency_keys: IdempotencyKeysTable
  audit_events: AuditEventsTable
}

interface SettingsTable {
  key: string
  value: string
}

interface JournalTable {
  seq: number
  at: number
  about: 'organization' | 'project' | 'environment' | 'server' | 'task' | 'step' | 'delivery' | 'user'
  id: number
  how: 'created' | 'updated' | 'deleted'
  position: number | null
  parent_id: number | null
}

interface JournalEndTable {
  id: 1
  seq: number
}

interface CountersTable {
  key: string
  started_at: number
  count: number
}

interface ServersTable {
  id: Generated<number>
  organization_id: number
  name: string
  hostname: string
  port: number
  unix_user: string
  connection: 'ssh' | 'local'
  edge: 'haproxy' | 'embedded'
  host_key: string | null
  created_at: number
  edge_version: Generated<number>
  /** Never null, by a condition of the row. */
  machine_id: number
  principal: string
  signed_in_at: number | null
  may_be_private: Generated<0 | 1>
  runtime: Generated<RuntimeName>
  registry_address: string | null
  registry_username: string | null
  registry_password_sealed: string | null
  swarm_id: string | null
}

interface ServerChecksTable {
  server_id: number
  checked_at: number
  checks: string
  disk_free_bytes: number | null
  disk_total_bytes: number | null
}

interface MachinesTable {
  id: Generated<number>
  organization_id: number | null
  host_key: string | null
}

interface ProjectsTable {
  id: Generated<number>
  organization_id: number
  owner_id: number
  name: string
  repo_url: string
  repository_host: RepositoryHost
  domain: string
  custom_domains: Generated<string>
  default_branch: string
  default_recipe: Recipe
  environment_limit: Generated<number>
  tls: 'off' | 'certificate' | 'automatic'
  fork_pull_requests: 'off' | 'approval'
  basic_auth_username: string | null
  basic_auth_password_sealed: string | null
  hook_id: string
  webhook_secret_sealed: string
  earlier_webhook_secret_sealed: string | null
  repository_public_key: string
  repository_private_key_sealed: string
  deleting_since: number | null
  created_at: number
  updated_at: number
  repository_host_key: string | null
  shares_webhook_secret: Generated<0 | 1>
  repository_external_id: string | null
  host_token_sealed: string | null
  variables_version: Generated<number>
  reconciled_at: Generated<number>
  is_host_guessed: Generated<0 | 1>
  expire_after_hours: number | null
  deploy_after: Generated<'checks' | null>
  deploy_after_checks: Generated<string>
  deploy_after_minutes: Generated<number | null>
  expire_changed_at: Generated<number>
  upload_variables: Generated<0 | 1>
  manual_recipe: Generated<ManualRecipe>
  connection_id: number | null
  pull_request_rules: Generated<string>
  file_rules: Generated<string>
  file_rules_sha: string | null
  is_file_rules_stale: Generated<0 | 1>
  file_rules_fault: string | null
  file_expire_after_hours: number | null
}

interface ServiceFilesTable {
  project_id: number
  content: string
  digest: string
}

interface ProjectServersTable {
  project_id: number
  server_id: number
  position: number
}

interface EnvironmentsTable {
  id: Generated<number>
  project_id: number
  server_id: number
  owner_id: number
  name: string
  title: Generated<string>
  type: 'pull_request' | 'manual'
  pull_request_number: number | null
  pull_request_title: string | null
  pull_request_url: string | null
  pull_request_author: string | null
  branch: string
  recipe: Recipe | null
  is_protected: Generated<0 | 1>
  is_sticky: Generated<0 | 1>
  auto_deploy: Generated<0 | 1>
  awaits_approval: Generated<0 | 1>
  basic_auth_username: string | null
  basic_auth_password_sealed: string | null
  variables_version: Generated<number>
  created_at: number
  updated_at: number
  removed_at: number | null
  cpu_limit_thousandths: number | null
  memory_limit_bytes: number | null
  process_limit: number | null
  is_fork: Generated<0 | 1>
  extended_at: Generated<number | null>
  schedules: Generated<0 | 1 | null>
  uploader_id: Generated<number | null>
  upload_expires_at: Generated<number | null>
}

interface UploadsTable {
  id: Generated<number>
  project_id: number
  environment_id: number
  commit_sha: string
  head_sha: string
  base_sha: string | null
  bytes: number
  created_at: number
}

interface UploadChunksTable {
  upload_id: number
  position: number
  bytes: Uint8Array
}

interface DomainsTable {
  domain: string
  environment_id: number
  service: Generated<string>
  /** Of the environment; -1 for a name from before names were kept for pull requests. */
  pull_request_number: number | null
}

interface IdempotencyKeysTable {
  user_id: number
  key: string
  request_digest: string
  answer_headers: string | null
  answer_body: string | null
  created_at: number
}

interface AuditEventsTable {
  id: Generated<number>
  organization_id: number | null
  user_id: number | null
  user_name: string | null
  action: string
  target_kind: string
  target_id: number | null
  target_name: string
  fields: string
  address: string | null
  request_id: string | null
  created_at: number
}

interface PortsTable {
  machine_id: number
  server_id: number
  port: number
  environment_id: number
  service: string
  slot: Generated<'a' | 'b'>
}

interface RoutesTable {
  domain: string
  port: number
  task_id: number
  sticky: Generated<0 | 1>
}

interface GrantsTable {
  environment_id: number
  capability: string
  granted_by: number | null
  granted_at: number
}
