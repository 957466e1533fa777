// Every change of a webhook begins here: checks permissions and locks it.
import { ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { findHook, type Hook } from '../../store/hooks/hooks.ts'
import { orNotFound } from '../or-not-found.ts'
import { findProjectForUpdate } from '../projects/find-project-for-update.ts'

export async function findHookForUpdate(tx: Change, actor: Actor, id: number): Promise<Hook> {
  const { projectId } = orNotFound(await findHook(tx, actor, id), 'webhook')
  const project = await findProjectForUpdate(tx, actor, { id: projectId })
  demand(actor, 'administer', project.organizationId)
  if (project.isDeleting) throw ProjectDeleting()
  return orNotFound(await findHook(tx, actor, id), 'webhook')
}
