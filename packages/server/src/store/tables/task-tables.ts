// The tables of tasks and of what they did and printed, as Kysely sees them.
import type { TaskKind } from '@shipway/api/tasks'
import type { Recipe } from '@shipway/api/values/recipe'
import type { Generated } from 'kysely'

export interface TaskTables {
  tasks: TasksTable
  steps: StepsTable
  outputs: OutputsTable
  task_service_files: TaskServiceFilesTable
}

interface TasksTable {
  id: Generated<number>
  environment_id: number
  kind: TaskKind
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  reason: 'superseded' | 'canceled_by_user' | 'protected' | 'timed_out' | 'server_unreachable' | 'interrupted' | null
  is_expiry: Generated<0 | 1>
  /** Of a removal that the platform began by itself. */
  because: string | null
  cause: 'dashboard' | 'api' | 'cli' | 'mcp' | 'push' | 'pull_request' | 'rollback' | 'system'
  started_by: number | null
  branch: string | null
  commit_sha: string | null
  commit_message: string | null
  commit_author: string | null
  action: string | null
  /** Words of a one-off command as JSON, masked; and sealed as they are run. */
  command: string | null
  command_sealed: string | null
  service: string | null
  variables_version: number | null
  epoch: Generated<number>
  created_at: number
  started_at: number | null
  finished_at: number | null
  worker: string | null
  lease_until: number | null
  cancel_requested_at: number | null
  output_bytes: Generated<number>
  output_expired_at: number | null
  /** 0 once all rows of outputs are deleted. */
  keeps_output: Generated<0 | 1>
  source_task_id: number | null
  server_id: number | null
  recipe: Recipe | null
  switched_at: number | null
  unrouted_at: number | null
}

interface StepsTable {
  id: Generated<number>
  task_id: number
  phase: string
  name: string
  key: string | null
  status: 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped' | 'canceled'
  kind: 'check' | 'command' | 'timeout' | 'server'
  exit_code: number | null
  message: string | null
  started_at: number | null
  finished_at: number | null
  position: Generated<number>
  result: string | null
  output_from: number | null
  output_to: number | null
  read_bytes: Generated<number>
}

interface OutputsTable {
  task_id: number
  output_from: number
  bytes: Uint8Array
}

interface TaskServiceFilesTable {
  task_id: number
  content: string
}
