// Makes a new webhook secret; the earlier one is kept until the git host uses the new one.
import type { Context } from '../../context.ts'
import { ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandOwnership } from '../../domain/people/permissions.ts'
import type { Secret } from '../../secrets/secret.ts'
import { updateAccessDue } from '../../store/connections/repository-access.ts'
import { type Project, updateWebhookSecret } from '../../store/projects/projects.ts'
import { findProjectForUpdate } from './find-project-for-update.ts'
import { makeWebhookSecret } from './make-project-keys.ts'

type Regenerated = { readonly project: Project; readonly secret: Secret }

export async function regenerateWebhookSecret(ctx: Context, actor: Actor, id: number): Promise<Regenerated> {
  return ctx.change(actor, async (tx) => {
    const project = await findProjectForUpdate(tx, actor, { id })
    demandOwnership(actor, project)
    if (project.isDeleting) throw ProjectDeleting()
    const { secret, sealed } = makeWebhookSecret(ctx, project.hookId)
    await updateWebhookSecret(tx, id, { sealed, at: ctx.clock() })
    await updateAccessDue(tx, id, { hasNewSecret: true })
    await tx.audit({
      organizationId: project.organizationId,
      action: 'project.webhook_secret_regenerated',
      target: { kind: 'project', id, name: project.name },
      fields: ['webhook_secret'],
    })
    return { project, secret }
  })
}
