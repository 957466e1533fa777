// Creates a webhook, which reports what happens in a project from now on.
import { randomUUID } from 'node:crypto'
import type { NewHook } from '@shipway/api/hooks'
import { receiverHostOf, receiverUrlFault } from '@shipway/api/values/receiver-url'
import type { Context } from '../../context.ts'
import { hookSecretContext } from '../../domain/encryption-context.ts'
import { InUse, InvalidField, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Secret } from '../../secrets/secret.ts'
import { newSigningSecret } from '../../secrets/signing-secret.ts'
import { findHook, type Hook, insertHook, listHooks } from '../../store/hooks/hooks.ts'
import { orNotFound } from '../or-not-found.ts'
import { findProjectForUpdate } from '../projects/find-project-for-update.ts'

const MOST = 20

/** The secret is returned only this once. */
export async function createHook(
  ctx: Context,
  actor: Actor,
  { projectId, wanted }: { readonly projectId: number; readonly wanted: NewHook },
): Promise<{ readonly hook: Hook; readonly secret: Secret }> {
  return ctx.change(actor, async (tx) => {
    const project = await findProjectForUpdate(tx, actor, { id: projectId })
    demand(actor, 'administer', project.organizationId)
    if (project.isDeleting) throw ProjectDeleting()
    refuseReceiver(ctx, wanted.url)
    if ((await listHooks(tx, projectId)).length >= MOST)
      throw InUse(`This project has ${MOST} webhooks, which is the most. Delete one first`)
    const { secret, ...columns } = makeHookSecret(ctx)
    const at = ctx.clock()
    const events = JSON.stringify([...new Set(wanted.events)])
    const values = { project_id: projectId, url: wanted.url, events, ...columns, created_at: at, updated_at: at }
    const id = await insertHook(tx, values)
    await tx.audit({
      organizationId: project.organizationId,
      action: 'hook.created',
      target: { kind: 'hook', id, name: receiverHostOf(wanted.url) },
    })
    return { hook: orNotFound(await findHook(tx, actor, id), 'webhook'), secret }
  })
}

/** The schema has parsed it; the settings say whether the platform may connect there. */
export function refuseReceiver({ config }: Context, url: string): void {
  const fault = receiverUrlFault(url, config)
  if (fault) throw InvalidField('/url', fault.code, fault.detail)
}

function makeHookSecret(ctx: Context) {
  const [secret, sealId] = [newSigningSecret(), randomUUID()]
  return { secret, seal_id: sealId, secret_sealed: ctx.box.seal(secret, hookSecretContext(sealId)) }
}
