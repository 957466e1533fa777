// Why an action on an environment is disabled. The API enforces the same rules.
import { type Action, type Environment, type Me, mayAbandon, type Project, type Task } from '@shipway/api'
import { IN_PROGRESS, missingPermission, roleIn, whyNotDeploy, whyProtected } from './disabled-reasons.ts'

export type EnvironmentContext = {
  readonly me: Me
  readonly organizationId: number | undefined
  readonly environment: Environment
  readonly project?: Project | undefined
}

const DELETING = 'The project is being deleted'
const REMOVING = 'The environment is being removed'

export const whyNotStart = ({ environment, project, ...membership }: EnvironmentContext): string | undefined =>
  project?.status === 'deleting' ? DELETING : whyNotDeploy(membership, environment)

/** An abandoned server can also be given up while the project is being deleted. */
export function whyNotDelete(
  { environment, project, ...membership }: EnvironmentContext,
  lastTask: Task | undefined,
): string | undefined {
  if (environment.status === 'removing') return REMOVING
  if (environment.locked) return IN_PROGRESS
  if (project?.status === 'deleting' && !hasFailedRemoval(lastTask)) return DELETING
  return missingPermission('deploy', membership) ?? whyProtected(membership, environment)
}

/** Settings and variables. */
export function whyNotChange({ environment, project, ...membership }: EnvironmentContext): string | undefined {
  if (environment.status === 'removing') return REMOVING
  if (project?.status === 'deleting') return DELETING
  return missingPermission('deploy', membership) ?? whyProtected(membership, environment)
}

/** Running deployments and other actions do not block an action. */
export function whyNotRun(
  { environment, project, ...membership }: EnvironmentContext,
  action: Pick<Action, 'name' | 'disabled_reason'>,
  runs: readonly Pick<Task, 'action' | 'status'>[],
): string | undefined {
  if (environment.status === 'removing') return REMOVING
  if (project?.status === 'deleting') return DELETING
  if (environment.status === 'awaiting_approval') return 'The commit is awaiting approval'
  if (action.disabled_reason !== null) return 'This action must be migrated first'
  if (environment.live === null) return 'Nothing is deployed yet. Deploy first'
  const isActive = runs.some(({ action: name, status }) => name === action.name && ACTIVE.includes(status))
  if (isActive) return 'This action is already queued or running'
  return missingPermission('deploy', membership) ?? whyProtected(membership, environment)
}

/** One-off commands. A command can read every variable, so it takes an admin. */
export function whyNotRunCommand({ environment, project, ...membership }: EnvironmentContext): string | undefined {
  if (environment.status === 'removing') return REMOVING
  if (project?.status === 'deleting') return DELETING
  if (environment.status === 'awaiting_approval') return 'The commit is awaiting approval'
  if (environment.live === null) return 'Nothing is deployed yet. Deploy first'
  return missingPermission('administer', membership) ?? whyProtected(membership, environment)
}

const ACTIVE: readonly Task['status'][] = ['queued', 'running']

/** Newest task that is neither an action nor a one-off command. */
export const lastOf = (tasks: readonly Task[]): Task | undefined =>
  tasks.find(({ kind }) => kind !== 'action' && kind !== 'run')

export const hasFailedRemoval = (lastTask: Task | undefined): boolean =>
  lastTask?.kind === 'remove' && lastTask.status === 'failed'

export function whyNotAbandon({ me, organizationId, project }: EnvironmentContext): string | undefined {
  const role = roleIn({ me, organizationId })
  const isProjectOwner = project?.owner.id === me.id
  if (mayAbandon({ role, isPlatformAdmin: me.is_platform_admin, isProjectOwner })) return undefined
  return 'Only the owner of the project or an owner of the organization can do this'
}
