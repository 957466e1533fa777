// Receives a delivery: whose it is, whether it is genuine, what it says. What is done about it is decided elsewhere.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { RepositoryHost } from '@shipway/api/projects'
import type { Context } from '../../context.ts'
import { WebhookSignatureInvalid } from '../../domain/errors.ts'
import type { EventReason } from '../../domain/repository-event.ts'
import { safeText } from '../../domain/safe-text.ts'
import { noteRefusedDelivery } from '../../operations/note-refused-delivery.ts'
import { type DeliveryOutcome, takeDelivery } from '../../operations/take-delivery.ts'
import { findWebhook, type Webhook } from '../../store/webhooks.ts'
import { bitbucket } from './bitbucket.ts'
import { type Delivery, type Dialect, type Translation, Unused } from './dialect.ts'
import { type Dialects, findSigner } from './find-signer.ts'
import { isForm, payloadOfForm } from './form.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { recogniseHost } from './recognise-host.ts'

const DIALECTS: Dialects = { github, gitlab, gitea, bitbucket }

type Received = Delivery & { readonly hookId: string; readonly origin: { address: string; requestId: string } }

export async function receiveDelivery(ctx: Context, received: Received): Promise<DeliveryOutcome> {
  // PostgreSQL cannot even be asked for a text with a zero in it.
  const kept = /^[\w-]+$/.test(received.hookId) ? await findWebhook(ctx.db, received.hookId) : undefined
  const recognised = recogniseHost(received.headers)
  const webhook = kept && asSentBy(kept, recognised)
  const sentBy = recognised === kept?.repositoryHost ? null : (recognised ?? null)
  const signedBy = findSigner(ctx, { webhook, dialects: DIALECTS }, received)
  const dialect = DIALECTS[webhook?.repositoryHost ?? 'github']
  const event = wordOf(dialect.eventOf(received.headers)) ?? 'unknown'
  const deliveryId = wordOf(dialect.deliveryIdOf(received.headers))
  if (!webhook || !signedBy) {
    if (webhook) {
      const { projectId } = webhook
      noteRefusedDelivery(ctx, { projectId, deliveryId: deliveryId ?? 'unknown', event, sentBy })
    }
    throw WebhookSignatureInvalid()
  }
  return takeDelivery(ctx, webhook, {
    // Without an id of its own, the same bytes are the same delivery.
    deliveryId: deliveryId ?? `sha256:${hash('sha256', Buffer.concat([Buffer.from(`${event}\n`), received.body]))}`,
    event,
    sentBy,
    isSignedWithNewest: signedBy === 'newest',
    translation: translate(dialect, event, received),
    origin: received.origin,
  })
}

function translate(dialect: Dialect, event: string, { headers, body }: Delivery): Translation | EventReason {
  try {
    return dialect.translate(event, parseBody(body, headers['content-type']))
  } catch (error) {
    if (error instanceof Unused) return error.reason
    throw error
  }
}

/**
 * As long as nobody has said which git host it is, a delivery is judged as the one that its headers name would sign it: with the
 * project's own secret, never with one that other projects share. Whoever does not know that gains nothing by other headers.
 */
function asSentBy(webhook: Webhook, recognised: RepositoryHost | undefined): Webhook {
  const isOpen = webhook.isHostGuessed && !webhook.sharesSecret
  return isOpen && recognised ? { ...webhook, repositoryHost: recognised } : webhook
}

function parseBody(body: Buffer, type = ''): unknown {
  // Read as text, bytes that are none would be other characters, and a branch another one.
  if (!isUtf8(body)) throw new Unused('malformed_body')
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  const json = isForm(type) ? payloadOfForm(text) : text
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unused('malformed_body')
    throw error
  }
}

const MOST_CHARACTERS = 200

/** A header's value, as it may be stored and shown. */
function wordOf(value: string | undefined): string | undefined {
  const text = safeText(value ?? '').slice(0, MOST_CHARACTERS)
  return text === '' ? undefined : text
}
