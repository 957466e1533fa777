// Makes a new secret for a webhook; the earlier one signs beside it for a day, so that the receiver can be changed meanwhile.
import { receiverHostOf } from '@shipway/api/values/receiver-url'
import type { Context } from '../../context.ts'
import { hookSecretContext } from '../../domain/encryption-context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { Secret } from '../../secrets/secret.ts'
import { newSigningSecret } from '../../secrets/signing-secret.ts'
import { updateHookSecret } from '../../store/hooks/hooks.ts'
import { findHookForUpdate } from './find-hook-for-update.ts'

const EARLIER_MS = 86_400_000

type Regenerated = { readonly secret: Secret; readonly earlierUntil: number }

export async function regenerateHookSecret(ctx: Context, actor: Actor, id: number): Promise<Regenerated> {
  return ctx.change(actor, async (tx) => {
    const { organizationId, sealId, url } = await findHookForUpdate(tx, actor, id)
    const secret = newSigningSecret()
    const at = ctx.clock()
    const earlierUntil = at + EARLIER_MS
    await updateHookSecret(tx, id, { sealed: ctx.box.seal(secret, hookSecretContext(sealId)), earlierUntil, at })
    await tx.audit({
      organizationId,
      action: 'hook.secret_regenerated',
      target: { kind: 'hook', id, name: receiverHostOf(url) },
      fields: ['secret'],
    })
    return { secret, earlierUntil }
  })
}
