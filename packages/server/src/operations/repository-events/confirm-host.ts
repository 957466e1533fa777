// The first genuine delivery shows which git host a project has, where that was only guessed from the name of the host.
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { findProjectAnywhere } from '../../store/projects/projects.ts'
import { updateGuessedHost, type Webhook } from '../../store/repository-events/webhooks.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { audit } from '../audit.ts'

/** In the caller's transaction, which holds the project. The webhook has the host that the delivery was judged by. */
export async function confirmHost(ctx: Context, db: Kysely<Tables>, webhook: Webhook, by: Automatic): Promise<void> {
  if (!(await updateGuessedHost(db, webhook))) return
  const project = await findProjectAnywhere(db, webhook.projectId)
  if (!project) return
  await audit(ctx, db, by, {
    organizationId: project.organizationId,
    action: 'project.updated',
    target: { kind: 'project', id: project.id, name: project.name },
    fields: ['repository_host'],
  })
}
