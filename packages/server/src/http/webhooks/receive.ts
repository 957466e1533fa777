// Receives a delivery: whether it is genuine, what it says. What is done about it is decided elsewhere.
import { hash } from 'node:crypto'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { safeText } from '@shipway/rules/safe-text'
import type { Context } from '../../context.ts'
import { WebhookSignatureInvalid } from '../../domain/errors.ts'
import type { EventReason } from '../../domain/repository/repository-event.ts'
import { acceptDelivery } from '../../operations/repository-events/accept-delivery.ts'
import type { DeliveryOutcome } from '../../operations/repository-events/inbox.ts'
import { recordRefusedDelivery } from '../../operations/repository-events/record-refused-delivery.ts'
import { digestInChunks } from '../../secrets/digest-in-chunks.ts'
import type { Webhook } from '../../store/repository-events/webhooks.ts'
import { type AdmittedDelivery, MOST_ALIKE } from './admission.ts'
import type { Delivery, Translation } from './dialect.ts'
import { findSigner, findSignerOfLarge } from './find-signer.ts'
import { recogniseHost } from './recognise-host.ts'
import { DIALECTS, type TranslateRequest, translate } from './translate.ts'
import { translateInWorker } from './translate-in-worker.ts'

type Received = Delivery & {
  readonly guest: AdmittedDelivery
  readonly origin: { readonly address: string; readonly requestId: string }
}

export async function receiveDelivery(ctx: Context, received: Received): Promise<DeliveryOutcome> {
  const { guest, headers, body, origin } = received
  const recognised = recogniseHost(headers)
  const webhook = guest.webhook && asSentBy(guest.webhook, recognised)
  const sentBy = recognised === guest.webhook?.repositoryHost ? null : (recognised ?? null)
  const hook = { webhook, dialects: DIALECTS }
  const isLarge = body.length > MOST_ALIKE
  const signedBy = isLarge ? await findSignerOfLarge(ctx, hook, received) : findSigner(ctx, hook, received)
  const host = webhook?.repositoryHost ?? 'github'
  const event = wordOf(DIALECTS[host].eventOf(headers)) ?? 'unknown'
  const deliveryId = DIALECTS[host].deliveryIdOf(headers)
  if (!webhook || !signedBy) {
    guest.countRefused(body.length)
    if (webhook) {
      const shown = wordOf(deliveryId) ?? 'unknown'
      recordRefusedDelivery(ctx, { projectId: webhook.projectId, deliveryId: shown, event, sentBy })
    }
    throw WebhookSignatureInvalid()
  }
  guest.countGenuine(body.length)
  const deliveryKey = deliveryId === undefined ? await keyOfBytes(event, body) : keyOf(deliveryId)
  return acceptDelivery(ctx, webhook, {
    deliveryId: wordOf(deliveryId) ?? deliveryKey,
    deliveryKey,
    event,
    sentBy,
    showsHost: recognised !== undefined && isHostOpen(webhook),
    isSignedWithNewest: signedBy === 'newest',
    translation: await translationOf({ host, event, type: headers['content-type'] ?? '', body }),
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

/** What is parsed here stops everybody else for some milliseconds at most. */
const MOST_PARSED_HERE = 256 * 1024

async function translationOf(letter: TranslateRequest): Promise<Translation | EventReason> {
  return letter.body.length > MOST_PARSED_HERE ? translateInWorker(letter) : translate(letter)
}

const MOST_CHARACTERS = 200

/** A header's value, as it may be stored and shown. */
function wordOf(value: string | undefined): string | undefined {
  const text = safeText(value ?? '').slice(0, MOST_CHARACTERS)
  return text === '' ? undefined : text
}

/** An id is compared as a whole, also where it is too long or too odd to be stored as it is. */
function keyOf(deliveryId: string): string {
  return wordOf(deliveryId) === deliveryId ? deliveryId : `id-sha256:${hash('sha256', deliveryId)}`
}

/** Without an id of its own, the same bytes are the same delivery. */
async function keyOfBytes(event: string, body: Uint8Array): Promise<string> {
  return `sha256:${await digestInChunks(Buffer.from(`${event}\n`), body)}`
}
