// The first genuine delivery shows which git host a project has, where that was only guessed from the name of the host.
import type { Automatic } from '../../domain/people/actor.ts'
import type { Change } from '../../store/change.ts'
import { findProjectAnywhere } from '../../store/projects/projects.ts'
import { updateGuessedHost, type Webhook } from '../../store/repository-events/webhooks.ts'

/** In the caller's transaction, which holds the project. The webhook has the host that the delivery was judged by. */
export async function confirmHost(tx: Change, webhook: Webhook, by: Automatic): Promise<void> {
  if (!(await updateGuessedHost(tx, webhook))) return
  const project = await findProjectAnywhere(tx, webhook.projectId)
  if (!project) return
  await tx.audit(
    {
      organizationId: project.organizationId,
      action: 'project.updated',
      target: { kind: 'project', id: project.id, name: project.name },
      fields: ['repository_host'],
    },
    by,
  )
}
