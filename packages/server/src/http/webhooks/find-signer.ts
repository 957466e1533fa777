/**
 * Finds the secret of a hook that a delivery was signed with.
 *
 * The time it takes depends on what was sent, not on what is kept: a sender who measures it learns neither whether there is such a
 * hook, nor its git host, nor how many secrets it has. If a secret is missing, a random one is tried instead, and every dialect is asked
 * about each. That holds for the sizes that an unknown hook takes as well.
 */
import { randomBytes } from 'node:crypto'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Context } from '../../context.ts'
import { type EncryptionContext, projectContext } from '../../domain/encryption-context.ts'
import type { Box } from '../../secrets/box.ts'
import {
  computeSignatures,
  computeSignaturesInChunks,
  type ExpectedSignatures,
} from '../../secrets/webhook-signature.ts'
import type { Webhook } from '../../store/repository-events/webhooks.ts'
import { signedPartOf } from './form.ts'
import { type Delivery, type Dialect, headerOf } from './webhook-dialect.ts'

export type Dialects = Readonly<Record<RepositoryHost, Dialect>>

type SignedHook = Pick<
  Webhook,
  'hookId' | 'repositoryHost' | 'secretSealed' | 'earlierSecretSealed' | 'sharesSecret'
> & {
  /** Where its secret is sealed to; a project's webhook secret by default. */
  readonly sealedFor?: EncryptionContext
}

type Hook = { readonly webhook: SignedHook | undefined; readonly dialects: Dialects }

type Signer = 'newest' | 'earlier' | 'shared'

export function findSigner(ctx: Context, { webhook, dialects }: Hook, delivery: Delivery): Signer | undefined {
  const sent = sentOf(delivery)
  const matches = secretsOf(ctx, webhook).map(({ name, secret, isOfHook }) => {
    const hosts = hostsThatSign(dialects, delivery, computeSignatures(secret, sent))
    return { name, isMatch: isOfHook && webhook !== undefined && hosts.includes(webhook.repositoryHost) }
  })
  return matches.find(({ isMatch }) => isMatch)?.name
}

/** For bodies that are read only for a known hook: only its own dialects are tried, so others do not wait. */
export async function findSignerOfLarge(
  ctx: Context,
  { webhook, dialects }: Hook,
  delivery: Delivery,
): Promise<Signer | undefined> {
  if (!webhook) return undefined
  for (const { name, secret } of secretsOf(ctx, webhook).filter(({ isOfHook }) => isOfHook)) {
    const expected = await computeSignaturesInChunks(secret, { body: delivery.body, standard: standardOf(delivery) })
    if (dialects[webhook.repositoryHost].isSigned(delivery, expected)) return name
  }
  return undefined
}

function secretsOf(ctx: Context, webhook: SignedHook | undefined) {
  const { webhookSecret: shared } = ctx.config
  return [
    { name: 'newest', ...openSecret(ctx.box, webhook, webhook?.secretSealed) },
    { name: 'earlier', ...openSecret(ctx.box, webhook, webhook?.earlierSecretSealed) },
    ...(shared ? [{ name: 'shared' as const, secret: shared, isOfHook: webhook?.sharesSecret === true }] : []),
  ] as const
}

function openSecret(box: Box, webhook: SignedHook | undefined, sealed: string | null | undefined) {
  const isOfHook = webhook !== undefined && sealed != null
  const own = isOfHook ? webhook.sealedFor : undefined
  const place = own ?? projectContext(isOfHook ? webhook.hookId : NO_HOOK, 'webhook_secret_sealed')
  return { secret: box.open(isOfHook ? sealed : unknownSecretOf(box), place), isOfHook }
}

const NO_HOOK = 'none'
const unknownSecrets = new WeakMap<Box, string>()

/** Sealed once and opened each time, like any other. */
function unknownSecretOf(box: Box): string {
  const known = unknownSecrets.get(box)
  if (known !== undefined) return known
  const sealed = box.seal(randomBytes(32).toString('base64url'), projectContext(NO_HOOK, 'webhook_secret_sealed'))
  unknownSecrets.set(box, sealed)
  return sealed
}

function hostsThatSign(dialects: Dialects, delivery: Delivery, expected: ExpectedSignatures): readonly string[] {
  return Object.entries(dialects).flatMap(([host, dialect]) => (dialect.isSigned(delivery, expected) ? [host] : []))
}

const sentOf = (delivery: Delivery) => ({
  body: delivery.body,
  part: signedPartOf(delivery.body, delivery.headers['content-type']),
  standard: standardOf(delivery),
})

function standardOf({ headers }: Delivery) {
  if (headerOf(headers, 'webhook-signature') === undefined) return undefined
  return { id: headerOf(headers, 'webhook-id') ?? '', timestamp: headerOf(headers, 'webhook-timestamp') ?? '' }
}
