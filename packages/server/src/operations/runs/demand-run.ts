// Checks that a caller may run a one-off command in an environment now.
import { isBeingRemoved } from '../../domain/environment.ts'
import {
  ApprovalRequired,
  EnvironmentProtected,
  EnvironmentRemoving,
  NothingServes,
  ProjectDeleting,
} from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import type { Environment } from '../../store/environments/environment-row.ts'

/** A command can read every variable of its environment, so it takes an admin; and the owner where that is protected. */
export function demandRun(actor: Actor, environment: Environment): void {
  demand(actor, 'administer', environment.organizationId)
  if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
  if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
  if (environment.isProjectDeleting) throw ProjectDeleting()
  if (environment.awaitsApproval) throw ApprovalRequired()
  if (!environment.tasks.live) throw NothingServes()
}
