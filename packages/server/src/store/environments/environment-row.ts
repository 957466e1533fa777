// An environment as it is read: its row, what it takes from its project, and what its tasks say.
import type { Recipe } from '@shipway/api/values/recipe'
import type { ComposeLimits } from '@shipway/rules/compose/model'
import type { TaskFacts } from '../../domain/environment.ts'
import type { ProjectLifetime } from '../../domain/expiry.ts'
import type { CheckWait } from '../../domain/repository/commit-checks.ts'
import { isDegraded } from '../../domain/service-state.ts'
import { namesOf } from '../repository-events/check-waits.ts'
import type { NamedTasks } from '../tasks/task-facts.ts'
import type { RoutedService } from './services.ts'

export type Environment = {
  readonly id: number
  readonly projectId: number
  readonly organizationId: number
  readonly name: string
  readonly title: string
  readonly type: 'pull_request' | 'manual'
  readonly pullRequest: PullRequest | null
  readonly branch: string
  readonly recipe: Recipe | null
  readonly effectiveRecipe: Recipe
  readonly server: ServerOfEnvironment
  readonly domain: string
  /** Those that a domain leads to. */
  readonly services: readonly RoutedService[]
  /** One of them does not respond, or its state is unknown. */
  readonly isDegraded: boolean
  readonly tls: 'off' | 'certificate' | 'automatic'
  readonly isProtected: boolean
  readonly isSticky: boolean
  readonly autoDeploy: boolean
  readonly awaitsApproval: boolean
  /** Of a fork: its commits need approval. */
  readonly isFork: boolean
  readonly basicAuth: { readonly username: string; readonly isInherited: boolean } | null
  /** What was set for it; null is the default of its type. */
  readonly limits: ComposeLimits
  readonly owner: { readonly id: number; readonly name: string }
  readonly variablesVersion: number
  readonly tasks: TaskFacts
  readonly isProjectDeleting: boolean
  readonly lifetime: ProjectLifetime | null
  /** Its newest commit, where that is not deployed because of its checks. */
  readonly checkWait: CheckWait | null
  /** When a user restarted the time until it expires. */
  readonly extendedAt: number | null
  /** Whether schedules of actions run here; null: those that name it. */
  readonly schedules: boolean | null
  readonly createdAt: number
  readonly updatedAt: number
  /** The working tree that it has; null: its commits come from the repository. */
  readonly upload: EnvironmentUpload | null
  /** Whether it gets the variables of its project. */
  readonly inheritsVariables: boolean
}

type EnvironmentUpload = {
  readonly by: { readonly id: number; readonly name: string }
  readonly expiresAt: number
  /** Null while the environment is being removed. */
  readonly commitSha: string | null
  readonly headSha: string | null
  readonly createdAt: number
}

type PullRequest = {
  readonly number: number
  readonly title: string
  readonly url: string | null
  readonly author: string | null
  readonly state: 'open' | 'closed' | 'merged'
  /** Its newest known commit; some git hosts abbreviate it. */
  readonly headSha: string | null
}

type ServerOfEnvironment = {
  readonly id: number
  readonly name: string
  readonly hostname: string
  readonly edge: 'haproxy' | 'embedded'
}

export type EnvironmentRow = NamedTasks & {
  readonly id: number
  readonly project_id: number
  readonly name: string
  readonly title: string
  readonly type: Environment['type']
  readonly pull_request_number: number | null
  readonly pull_request_title: string | null
  readonly pull_request_url: string | null
  readonly pull_request_author: string | null
  readonly branch: string
  readonly recipe: Recipe | null
  readonly is_protected: 0 | 1
  readonly is_sticky: 0 | 1
  readonly auto_deploy: 0 | 1
  readonly awaits_approval: 0 | 1
  readonly is_fork: 0 | 1
  readonly pull_request_state: PullRequest['state'] | null
  readonly pull_request_head: string | null
  readonly basic_auth_username: string | null
  readonly cpu_limit_thousandths: number | null
  readonly memory_limit_bytes: number | null
  readonly process_limit: number | null
  readonly variables_version: number
  readonly created_at: number
  readonly updated_at: number
  readonly organization_id: number
  readonly default_recipe: Recipe
  readonly tls: Environment['tls']
  readonly project_username: string | null
  readonly deleting_since: number | null
  readonly expire_after_hours: number | null
  readonly expire_changed_at: number
  readonly extended_at: number | null
  readonly schedules: 0 | 1 | null
  readonly uploader_id: number | null
  readonly uploader_name: string | null
  readonly upload_expires_at: number | null
  readonly upload_sha: string | null
  readonly upload_head: string | null
  readonly upload_at: number | null
  readonly upload_variables: 0 | 1
  readonly wait_state: CheckWait['state'] | null
  readonly wait_sha: string | null
  readonly wait_since: number | null
  readonly wait_deadline: number | null
  readonly wait_checks: string | null
  readonly server_id: number
  readonly server_name: string
  readonly server_hostname: string
  readonly server_edge: ServerOfEnvironment['edge']
  readonly owner_id: number
  readonly owner_name: string
  readonly domain: string | null
}

export function toEnvironment(row: EnvironmentRow, beside: Pick<Environment, 'services' | 'tasks'>): Environment {
  return {
    id: row.id,
    projectId: row.project_id,
    organizationId: row.organization_id,
    name: row.name,
    title: row.title,
    type: row.type,
    pullRequest: pullRequestOf(row),
    branch: row.branch,
    recipe: row.recipe,
    effectiveRecipe: row.recipe ?? row.default_recipe,
    server: { id: row.server_id, name: row.server_name, hostname: row.server_hostname, edge: row.server_edge },
    domain: row.domain ?? '',
    services: beside.services,
    isDegraded: isDegraded(beside.services),
    tls: row.tls,
    isProtected: row.is_protected === 1,
    isSticky: row.is_sticky === 1,
    autoDeploy: row.auto_deploy === 1,
    awaitsApproval: row.awaits_approval === 1,
    isFork: row.is_fork === 1,
    basicAuth: basicAuthOf(row),
    limits: limitsOf(row),
    owner: { id: row.owner_id, name: row.owner_name },
    variablesVersion: row.variables_version,
    tasks: beside.tasks,
    isProjectDeleting: row.deleting_since !== null,
    lifetime:
      row.expire_after_hours === null ? null : { hours: row.expire_after_hours, changedAt: row.expire_changed_at },
    checkWait: checkWaitOf(row),
    extendedAt: row.extended_at,
    schedules: row.schedules === null ? null : row.schedules === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    upload: uploadOf(row),
    inheritsVariables: row.is_fork === 0 && (row.uploader_id === null || row.upload_variables === 1),
  }
}

function uploadOf(row: EnvironmentRow): EnvironmentUpload | null {
  if (row.uploader_id === null) return null
  return {
    by: { id: row.uploader_id, name: row.uploader_name ?? '' },
    expiresAt: row.upload_expires_at ?? row.created_at,
    commitSha: row.upload_sha,
    headSha: row.upload_head,
    createdAt: row.upload_at ?? row.created_at,
  }
}

function checkWaitOf(row: EnvironmentRow): CheckWait | null {
  if (row.wait_state === null) return null
  return {
    state: row.wait_state,
    sha: row.wait_sha ?? '',
    since: row.wait_since ?? 0,
    deadlineAt: row.wait_deadline ?? 0,
    openChecks: namesOf(row.wait_checks ?? '[]'),
  }
}

function pullRequestOf(row: EnvironmentRow): PullRequest | null {
  if (row.pull_request_number === null) return null
  return {
    number: row.pull_request_number,
    title: row.pull_request_title ?? '',
    url: row.pull_request_url,
    author: row.pull_request_author,
    state: row.pull_request_state ?? 'open',
    headSha: row.pull_request_head,
  }
}

function basicAuthOf({ basic_auth_username: own, project_username: inherited }: EnvironmentRow) {
  if (own !== null) return { username: own, isInherited: false }
  return inherited === null ? null : { username: inherited, isInherited: true }
}

function limitsOf(row: EnvironmentRow): ComposeLimits {
  return {
    cpus: row.cpu_limit_thousandths === null ? null : row.cpu_limit_thousandths / 1000,
    memoryBytes: row.memory_limit_bytes,
    processes: row.process_limit,
  }
}
