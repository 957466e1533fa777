// Receives a delivery: whose it is, whether it is genuine, what it says. What is done about it is decided elsewhere.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { WebhookSignatureInvalid } from '../../domain/errors.ts'
import type { EventReason } from '../../domain/repository-event.ts'
import { safeText } from '../../domain/safe-text.ts'
import { noteRefusedDelivery } from '../../operations/note-refused-delivery.ts'
import { type DeliveryOutcome, takeDelivery } from '../../operations/take-delivery.ts'
import { findWebhook } from '../../store/webhooks.ts'
import { bitbucket } from './bitbucket.ts'
import { type Delivery, type Dialect, type Translation, Unused } from './dialect.ts'
import { type Dialects, findSigner } from './find-signer.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'

const DIALECTS: Dialects = { github, gitlab, gitea, bitbucket }

type Received = Delivery & { readonly hookId: string; readonly origin: { address: string; requestId: string } }

export async function receiveDelivery(ctx: Context, received: Received): Promise<DeliveryOutcome> {
  // PostgreSQL cannot even be asked for a text with a zero in it.
  const webhook = /^[\w-]+$/.test(received.hookId) ? await findWebhook(ctx.db, received.hookId) : undefined
  const signedBy = findSigner(ctx, { webhook, dialects: DIALECTS }, received)
  const dialect = DIALECTS[webhook?.repositoryHost ?? 'github']
  const event = wordOf(dialect.eventOf(received.headers)) ?? 'unknown'
  const deliveryId = wordOf(dialect.deliveryIdOf(received.headers))
  if (!webhook || !signedBy) {
    if (webhook) noteRefusedDelivery(ctx, { projectId: webhook.projectId, deliveryId: deliveryId ?? 'unknown', event })
    throw WebhookSignatureInvalid()
  }
  return takeDelivery(ctx, webhook, {
    // Without an id of its own, the same bytes are the same delivery.
    deliveryId: deliveryId ?? `sha256:${hash('sha256', Buffer.concat([Buffer.from(`${event}\n`), received.body]))}`,
    event,
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

/** Some git hosts can send the JSON as a field of a form. */
function parseBody(body: Buffer, type = ''): unknown {
  // Read as text, bytes that are none would be other characters, and a branch another one.
  if (!isUtf8(body)) throw new Unused('malformed_body')
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  const json = /^application\/x-www-form-urlencoded/i.test(type) ? new URLSearchParams(text).get('payload') : text
  try {
    return JSON.parse(json ?? '')
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
