// Receives a delivery: whether it is genuine, what it says. What is done about it is decided elsewhere.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Context } from '../../context.ts'
import { WebhookSignatureInvalid } from '../../domain/errors.ts'
import { acceptDelivery } from '../../operations/repository-events/accept-delivery.ts'
import type { DeliveryOutcome } from '../../operations/repository-events/inbox.ts'
import { recordRefusedDelivery } from '../../operations/repository-events/record-refused-delivery.ts'
import type { Webhook } from '../../store/repository-events/webhooks.ts'
import { MOST_ALIKE, type ReceivedDelivery } from './admission.ts'
import { identityOf, namesOf } from './delivery-identity.ts'
import { findSigner, findSignerOfLarge } from './find-signer.ts'
import { receiveAppDelivery } from './receive-app-delivery.ts'
import { recogniseHost } from './recognise-host.ts'
import { DIALECTS } from './translate.ts'
import { translateBody } from './translate-body.ts'

export async function receiveDelivery(ctx: Context, received: ReceivedDelivery): Promise<DeliveryOutcome> {
  const { guest, headers, body, origin } = received
  if (guest.appHook) return receiveAppDelivery(ctx, guest.appHook, received)
  const recognised = recogniseHost(headers)
  const webhook = guest.webhook && asSentBy(guest.webhook, recognised)
  const sentBy = recognised === guest.webhook?.repositoryHost ? null : (recognised ?? null)
  const hook = { webhook, dialects: DIALECTS }
  const isLarge = body.length > MOST_ALIKE
  const signedBy = isLarge ? await findSignerOfLarge(ctx, hook, received) : findSigner(ctx, hook, received)
  const host = webhook?.repositoryHost ?? 'github'
  const names = namesOf(DIALECTS[host], received)
  if (!webhook || !signedBy) {
    guest.countRefused(body.length)
    if (webhook) {
      const { shownId: deliveryId = 'unknown', event } = names
      recordRefusedDelivery(ctx, { projectId: webhook.projectId, deliveryId, event, sentBy })
    }
    throw WebhookSignatureInvalid()
  }
  guest.countGenuine(body.length)
  return acceptDelivery(ctx, webhook, {
    ...(await identityOf(names, body)),
    sentBy,
    showsHost: recognised !== undefined && isHostOpen(webhook),
    isSignedWithNewest: signedBy === 'newest',
    translation: await translateBody({ host, event: names.event, type: headers['content-type'] ?? '', body }),
    origin,
  })
}

/**
 * While the git host of the project is not known, a delivery is verified as the host that its headers name would sign it: with the
 * project's own secret, never with one that other projects share. Without that secret, other headers gain nothing.
 */
function asSentBy(webhook: Webhook, recognised: RepositoryHost | undefined): Webhook {
  return isHostOpen(webhook) && recognised ? { ...webhook, repositoryHost: recognised } : webhook
}

const isHostOpen = ({ isHostGuessed, sharesSecret }: Webhook): boolean => isHostGuessed && !sharesSecret
