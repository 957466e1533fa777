// Receives a delivery: whose it is, whether it is genuine, what it says. What is done about it is decided elsewhere.
import { hash, randomBytes } from 'node:crypto'
import type { RepositoryHost } from '@shipway/api/projects'
import type { Context } from '../../context.ts'
import { WebhookSignatureInvalid } from '../../domain/errors.ts'
import type { EventReason } from '../../domain/repository-event.ts'
import { safeText } from '../../domain/safe-text.ts'
import { placeInProject } from '../../domain/sealed-place.ts'
import { noteRefusedDelivery } from '../../operations/note-refused-delivery.ts'
import { type DeliveryOutcome, takeDelivery } from '../../operations/take-delivery.ts'
import { Secret } from '../../secrets/secret.ts'
import { findWebhook, type Webhook } from '../../store/webhooks.ts'
import { bitbucket } from './bitbucket.ts'
import { type Delivery, type Dialect, type Translation, Unused } from './dialect.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'

const DIALECTS: Readonly<Record<RepositoryHost, Dialect>> = { github, gitlab, gitea, bitbucket }

type Received = Delivery & { readonly hookId: string; readonly origin: { address: string; requestId: string } }

export async function receiveDelivery(ctx: Context, received: Received): Promise<DeliveryOutcome> {
  const webhook = await findWebhook(ctx.db, received.hookId)
  const dialect = DIALECTS[webhook?.repositoryHost ?? 'github']
  const secrets = secretsOf(ctx, webhook)
  // Each is tried, so that the time does not tell which one it was, nor whether there is such a hook.
  const matches = secrets.map(({ secret }) => dialect.isSigned(received, secret))
  const signedBy = secrets.find((_, index) => matches[index])?.name
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

type Named = { readonly name: 'newest' | 'earlier' | 'shared'; readonly secret: Secret }

/** For an unknown hook, one that nobody knows. */
function secretsOf(ctx: Context, webhook: Webhook | undefined): readonly Named[] {
  if (!webhook) return [{ name: 'newest', secret: new Secret(randomBytes(32).toString('base64url')) }]
  const place = placeInProject(webhook.hookId, 'webhook_secret_sealed')
  const { earlierSecretSealed: earlier, sharesSecret } = webhook
  return [
    { name: 'newest', secret: ctx.box.open(webhook.secretSealed, place) },
    ...(earlier === null ? [] : [{ name: 'earlier' as const, secret: ctx.box.open(earlier, place) }]),
    ...(sharesSecret && ctx.config.webhookSecret
      ? [{ name: 'shared' as const, secret: ctx.config.webhookSecret }]
      : []),
  ]
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
