// Adds a channel, which gets alerts from now on.
import { randomUUID } from 'node:crypto'
import type { NewChannel } from '@shipway/api/channels'
import type { Context } from '../../context.ts'
import { channelContext } from '../../domain/encryption-context.ts'
import { InUse } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Secret } from '../../secrets/secret.ts'
import { newSigningSecret } from '../../secrets/signing-secret.ts'
import { type Channel, findChannel, insertChannel, listChannels } from '../../store/channels/channels.ts'
import { orNotFound } from '../or-not-found.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'
import { sealTarget } from './channel-target.ts'

const MOST = 20

type NewOne = { readonly organizationId: number; readonly wanted: NewChannel }

/** The secret of a webhook is returned only this once. */
export async function createChannel(
  ctx: Context,
  actor: Actor,
  { organizationId, wanted }: NewOne,
): Promise<{ readonly channel: Channel; readonly secret: Secret | null }> {
  return ctx.change(actor, async (tx) => {
    const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demand(current, 'administer', organizationId)
    const { type, name, url, token, recipient, events, severities } = wanted
    const sealId = randomUUID()
    const target = sealTarget(ctx, { type, sealId, isNew: true }, { url, token, recipient })
    if ((await listChannels(tx, organizationId)).length >= MOST)
      throw InUse(`This organization has ${MOST} channels, which is the most. Delete one first`)
    const secret = type === 'webhook' ? newSigningSecret() : null
    const at = ctx.clock()
    const id = await insertChannel(tx, {
      organization_id: organizationId,
      type,
      name,
      seal_id: sealId,
      ...target,
      secret_sealed: secret && ctx.box.seal(secret, channelContext(sealId, 'secret_sealed')),
      events: JSON.stringify([...new Set(events)]),
      severities: JSON.stringify([...new Set(severities)]),
      created_at: at,
      updated_at: at,
    })
    await tx.audit({ organizationId, action: 'channel.created', target: { kind: 'channel', id, name } })
    return { channel: orNotFound(await findChannel(tx, actor, id), 'channel'), secret }
  })
}
