// Rules of environments: status, address, and the fields that protection guards.
import type { EnvironmentStatus } from '@shipway/api/environments'
import type { TaskKind, TaskStatus } from '@shipway/api/tasks'
import { TASK_KINDS } from './tasks/task.ts'

type LastTask = { readonly id: number; readonly status: TaskStatus; readonly finishedAt: number | null }

/** What the tasks of an environment say about it. A deployment here is a task of kind deploy or reset. */
export type TaskFacts = {
  readonly running: ActiveTask | null
  readonly queued: ActiveTask | null
  readonly last: LastTask | null
  /** The newest that is no action, also a removal. */
  readonly lastDeployment: LastTask | null
  /** The newest deployment that succeeded. */
  readonly live: { readonly id: number; readonly commitSha: string | null; readonly finishedAt: number } | null
  /** How the newest deployment that has ended did. */
  readonly lastOutcome: TaskStatus | null
  readonly lastEndedId: number | null
  /** Of the variables that the newest deployment that has started took; null when none has. */
  readonly variablesVersion: number | null
}

/** As much of it as the status follows from. */
export type StatusFacts = {
  readonly running: Pick<ActiveTask, 'kind'> | null
  readonly queued: Pick<ActiveTask, 'kind'> | null
  readonly live: { readonly id: number } | null
  readonly lastOutcome: TaskStatus | null
}

export type ActiveTask = { readonly id: number; readonly status: 'queued' | 'running'; readonly kind: TaskKind }

type EnvironmentFacts = {
  readonly awaitsApproval: boolean
  readonly tasks: StatusFacts
  /** A routed service does not respond, or its state is unknown. */
  readonly isDegraded: boolean
}

export function statusOf({ awaitsApproval, tasks, isDegraded }: EnvironmentFacts): EnvironmentStatus {
  if (hasActive(tasks, 'removesEnvironment')) return 'removing'
  if (awaitsApproval) return 'awaiting_approval'
  if (hasActive(tasks, 'isDeployment')) return 'deploying'
  if (tasks.live && tasks.lastOutcome !== 'failed') return isDegraded ? 'degraded' : 'running'
  // A successful deployment that is not live was taken down by a removal that failed.
  return tasks.lastOutcome === 'failed' || tasks.lastOutcome === 'succeeded' ? 'failed' : 'new'
}

export const pullRequestName = (number: number): string => `pr-${number}`

export const activeTaskOf = (tasks: TaskFacts): ActiveTask | null => tasks.running ?? tasks.queued

export function isBeingRemoved(tasks: TaskFacts): boolean {
  return hasActive(tasks, 'removesEnvironment')
}

function hasActive({ running, queued }: StatusFacts, property: 'isDeployment' | 'removesEnvironment'): boolean {
  return [running, queued].some((task) => task !== null && TASK_KINDS[task.kind][property])
}

type AddressSettings = {
  readonly tls: 'off' | 'certificate' | 'automatic'
  readonly edge: 'haproxy' | 'embedded'
  readonly baseUrl: string
}

/** The embedded edge answers where the platform itself does. It has TLS only where a proxy in front of the platform has it. */
export function urlOf(domain: string, { tls, edge, baseUrl }: AddressSettings): string {
  const { protocol, port } = new URL(baseUrl)
  const hasTls = tls !== 'off' && (edge === 'haproxy' || protocol === 'https:')
  return `${hasTls ? 'https' : 'http'}://${domain}${edge === 'haproxy' || port === '' ? '' : `:${port}`}`
}

type ProtectedFields = {
  readonly title?: string | undefined
  readonly server_id?: number | undefined
  readonly domain?: string | undefined
}

/** The fields that protection guards and that a change would alter, as the response names them. */
export function keptByProtection(
  environment: { readonly title: string; readonly server: { readonly id: number }; readonly domain: string },
  changes: ProtectedFields,
): readonly ('title' | 'server' | 'domain')[] {
  const altered = {
    title: changes.title !== undefined && changes.title !== environment.title,
    server: changes.server_id !== undefined && changes.server_id !== environment.server.id,
    domain: changes.domain !== undefined && changes.domain !== environment.domain,
  }
  return (['title', 'server', 'domain'] as const).filter((field) => altered[field])
}
