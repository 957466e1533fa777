// Receives a delivery to the one webhook of a GitHub App, and hands it to the projects of that connection that use its repository.
import type { Context } from '../../context.ts'
import { connectionContext } from '../../domain/encryption-context.ts'
import { WebhookSignatureInvalid } from '../../domain/errors.ts'
import { applyAppEvent } from '../../operations/connections/github-app/apply-app-event.ts'
import { acceptDelivery } from '../../operations/repository-events/accept-delivery.ts'
import type { DeliveryOutcome } from '../../operations/repository-events/inbox.ts'
import type { AppHook } from '../../store/connections/app-hooks.ts'
import { listWebhooksOfRepository } from '../../store/repository-events/webhooks.ts'
import { MOST_ALIKE, type ReceivedDelivery } from './admission.ts'
import { identityOf, namesOf } from './delivery-identity.ts'
import { findSigner, findSignerOfLarge } from './find-signer.ts'
import { DIALECTS } from './translate.ts'
import { translateAny } from './translate-body.ts'
import type { Translation } from './webhook-dialect.ts'

export async function receiveAppDelivery(
  ctx: Context,
  hook: AppHook,
  received: ReceivedDelivery,
): Promise<DeliveryOutcome> {
  const { guest, headers, body } = received
  const webhook = {
    ...hook,
    repositoryHost: 'github' as const,
    earlierSecretSealed: null,
    sharesSecret: false,
    sealedFor: connectionContext(hook.sealId, 'webhook_secret_sealed'),
  }
  const find = body.length > MOST_ALIKE ? findSignerOfLarge : findSigner
  if (!(await find(ctx, { webhook, dialects: DIALECTS }, received))) {
    guest.countRefused(body.length)
    throw WebhookSignatureInvalid()
  }
  guest.countGenuine(body.length)
  const { event } = namesOf(DIALECTS.github, received)
  const type = headers['content-type'] ?? ''
  const translation = await translateAny({ host: 'github', event, type, body, isOfApp: true })
  if (typeof translation === 'string') return { verdict: 'ignored', reason: translation }
  // An App that its owner has made public is installed by strangers, too: what theirs send is not about this connection.
  const isOfConnection = translation.installationId === hook.installationId
  if ('appEvent' in translation) {
    const { appEvent } = translation
    const isOfInstallation = appEvent.kind === 'repositories' || appEvent.kind === 'renamed'
    if (isOfInstallation && !isOfConnection) return OTHER_INSTALLATION
    await applyAppEvent(ctx, { connectionId: hook.connectionId, event: appEvent, origin: received.origin })
    return ACCEPTED
  }
  if (translation.events.every(({ kind }) => kind === 'ping')) return ACCEPTED
  if (!isOfConnection) return OTHER_INSTALLATION
  return handOn(ctx, hook, { received, translation })
}

const ACCEPTED: DeliveryOutcome = { verdict: 'accepted', reason: null }
const OTHER_INSTALLATION: DeliveryOutcome = { verdict: 'ignored', reason: 'other_installation' }

type DeliveryToHandOn = { readonly received: ReceivedDelivery; readonly translation: Translation }

async function handOn(
  ctx: Context,
  { connectionId }: AppHook,
  { received, translation }: DeliveryToHandOn,
): Promise<DeliveryOutcome> {
  const { repository } = translation
  const webhooks = repository
    ? await listWebhooksOfRepository(ctx.db, { connectionId, repositoryId: repository.id })
    : []
  const identity = await identityOf(namesOf(DIALECTS.github, received), received.body)
  const outcomes = await Promise.all(
    webhooks.map((webhook) =>
      acceptDelivery(ctx, webhook, {
        ...identity,
        sentBy: null,
        showsHost: false,
        // The project's own secret is not the App's, and stays as it is.
        isSignedWithNewest: false,
        translation,
        origin: received.origin,
      }),
    ),
  )
  return (
    outcomes.find(({ verdict }) => verdict === 'accepted') ??
    outcomes[0] ?? { verdict: 'ignored', reason: 'no_project' }
  )
}
