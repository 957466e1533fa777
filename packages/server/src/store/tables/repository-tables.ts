// The tables of repository events, as Kysely sees them.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Generated } from 'kysely'
import type { CheckAction } from '../../domain/repository/check-run.ts'
import type { CommentCommand } from '../../domain/repository/comment-command.ts'
import type { RefusalCode } from '../../domain/repository/decide-pull-request.ts'

export interface RepositoryTables {
  deliveries: DeliveriesTable
  delivery_ids: DeliveryIdsTable
  pull_requests: PullRequestsTable
  approvals: ApprovalsTable
  pushes: PushesTable
  outbox: OutboxTable
  check_runs: CheckRunsTable
  check_requests: CheckRequestsTable
  comment_requests: CommentRequestsTable
  check_waits: CheckWaitsTable
}

interface DeliveriesTable {
  id: Generated<number>
  project_id: number
  delivery_id: string
  event: string
  verdict: 'stored' | 'accepted' | 'duplicate' | 'ignored' | 'failed' | 'refused'
  reason: string | null
  detail: Generated<string | null>
  received_at: number
  pull_request_number: number | null
  branch: string | null
  environment_id: number | null
  sent_by: RepositoryHost | null
  content: string | null
  attempts: Generated<number>
  next_at: Generated<number>
}

interface DeliveryIdsTable {
  project_id: number
  delivery_id: string
  received_at: number
  took_effect: Generated<0 | 1>
}

interface PullRequestsTable {
  project_id: number
  number: number
  state: 'open' | 'closed' | 'merged'
  title: string
  url: string | null
  author: string | null
  branch: string
  target_branch: string | null
  head_sha: string
  is_fork: 0 | 1
  is_draft: 0 | 1
  host_updated_at: number
  host_closings: Generated<number>
  environment_id: number | null
  waiting_since: number | null
  is_ref_seen: Generated<0 | 1>
  comment_id: string | null
  changed_at: number
  labels: Generated<string | null>
  is_bot: Generated<0 | 1>
  requested: 'start' | 'stop' | null
  refusal: RefusalCode | null
  refusal_detail: string | null
  refused_at: number | null
  compared_sha: string | null
  compared_target: string | null
  compared_match: 0 | 1 | null
}

interface ApprovalsTable {
  environment_id: number
  commit_sha: string
  approved_by: number | null
  approved_at: number
}

interface PushesTable {
  id: Generated<number>
  project_id: number
  branch: string
  before_sha: string
  after_sha: string
  is_skipped: Generated<0 | 1>
  is_late: Generated<0 | 1>
  received_at: number
}

interface OutboxTable {
  id: Generated<number>
  project_id: number
  task_id: number | null
  pull_request_number: number | null
  told: string | null
  host_deployment_id: string | null
  attempts: Generated<number>
  next_at: number
  held_until: Generated<number>
  paused_until: Generated<number>
  last_error: string | null
  created_at: number
}

interface CheckRunsTable {
  environment_id: number
  commit_sha: string
  host_id: string
  has_annotations: Generated<0 | 1>
}

interface CheckRequestsTable {
  id: Generated<number>
  project_id: number
  environment_id: number
  commit_sha: string
  action: CheckAction
  sender: string
  delivery_id: number | null
  attempts: Generated<number>
  next_at: Generated<number>
  last_error: string | null
  created_at: number
}

interface CommentRequestsTable {
  id: Generated<number>
  project_id: number
  number: number
  command: CommentCommand
  author: string
  author_id: string | null
  delivery_id: number | null
  attempts: Generated<number>
  next_at: Generated<number>
  last_error: string | null
  created_at: number
}

interface CheckWaitsTable {
  id: Generated<number>
  project_id: number
  environment_id: number
  commit_sha: string
  cause: 'push' | 'pull_request'
  state: Generated<'waiting' | 'failed' | 'timed_out'>
  names: string
  is_resolved: Generated<0 | 1>
  open_checks: Generated<string>
  green_since: number | null
  since: number
  deadline_at: number
  attempts: Generated<number>
  next_at: Generated<number>
  held_until: Generated<number>
  paused_until: Generated<number>
  last_error: string | null
}
