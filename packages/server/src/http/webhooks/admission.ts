/**
 * Admission of deliveries. Before it reads a body, the platform knows whether there is such a hook and how much of its sender is in flight.
 *
 * A stranger can make the platform read and hash at most a mebibyte for nothing, and that so many times a minute. Up to that size an
 * unknown hook and a wrong signature are treated alike, in time too; beyond it the body to an unknown hook is not read. Deliveries to
 * unknown hooks have slots and bytes of their own, so that they take none from known hooks.
 */
import type { Context } from '../../context.ts'
import { BodyTooLarge, RateLimited, Unavailable, WebhookUnread } from '../../domain/errors.ts'
import { findWithDeadline } from '../../operations/repository-events/query-deadline.ts'
import { RateLimiter } from '../../scheduling/rate-limiter.ts'
import { type AppHook, findAppHook } from '../../store/connections/app-hooks.ts'
import { findWebhook, type Webhook } from '../../store/repository-events/webhooks.ts'
import type { Intake } from '../raw-body.ts'
import { InFlight } from './in-flight.ts'
import type { Delivery } from './webhook-dialect.ts'

const KIB = 1024
const MIB = 1024 * KIB
const MINUTE_MS = 60_000
/** As much as git hosts send at most. */
const MOST_MEGABYTES = 25
/** Up to here an unknown hook is treated like any other. */
export const MOST_ALIKE = MIB
/** What every delivery may bring before it counts as a large one. */
const SMALL = 256 * KIB

const LIMITS = {
  /** A minute, of whatever kind. Git hosts have few addresses, and many projects. */
  perAddress: 6_000,
  /** A minute, of genuine ones; a large one counts once for each 256 KiB. */
  perHook: 3_000,
  known: { places: { inAll: 500, perKey: 300 }, bytes: { inAll: 128 * MIB, perKey: 64 * MIB } },
  unknown: { places: { inAll: 100, perKey: 20 }, bytes: { inAll: 32 * MIB, perKey: 8 * MIB } },
}

/** A delivery that was let in, until it leaves. */
export type AdmittedDelivery = {
  /** Of a project. */
  readonly webhook: Webhook | undefined
  /** Of a GitHub App. */
  readonly appHook: AppHook | undefined
  readonly take: Intake
  /** It turned out to be genuine, or not: counted by its size. */
  countGenuine(bytes: number): void
  countRefused(bytes: number): void
  leave(): void
}

/** A delivery whose body was read. */
export type ReceivedDelivery = Delivery & {
  readonly guest: AdmittedDelivery
  readonly origin: { readonly address: string; readonly requestId: string }
}

export function createAdmission(ctx: Context, limits = LIMITS) {
  const perMinute = (name: string, most: number) =>
    ctx.sharedCounts.share(name, new RateLimiter({ name, most, windowMs: MINUTE_MS }))
  const perAddress = perMinute('deliveries', limits.perAddress)
  const perHook = perMinute('hook', limits.perHook)
  const refusals = perMinute('refused-deliveries', ctx.config.refusedDeliveriesPerMinute)
  const shares = { known: shareOf(limits.known), unknown: shareOf(limits.unknown) }
  const count = (limiter: RateLimiter, key: string, more = 1): void => {
    const { left, resetMs } = limiter.count(key, ctx.clock(), more)
    const isOver = more === 0 ? left <= 0 : left < 0
    if (isOver) throw RateLimited(Math.max(1, Math.ceil(resetMs / 1000)), limiter)
  }

  return async (network: string, hookId: string): Promise<AdmittedDelivery> => {
    count(perAddress, network)
    // PostgreSQL cannot even be asked for a text with a zero in it.
    const isWord = /^[\w-]{1,200}$/.test(hookId)
    // Always both, so that the time says nothing about which hooks there are.
    const find = () => Promise.all([findWebhook(ctx.db, hookId), findAppHook(ctx.db, hookId)])
    const [webhook, appHook] = isWord ? await findWithDeadline(ctx, find) : []
    const isKnown = webhook !== undefined || appHook !== undefined
    // Also per hook: strangers who send from a git host's addresses must not block the deliveries of others.
    const refusalKey = isKnown ? `${network} ${hookId}` : network
    count(refusals, refusalKey, 0)
    const share = isKnown ? shares.known : shares.unknown
    if (!share.places.take(network, 1)) throw TooMuch()
    let taken = 0
    return {
      webhook,
      appHook,
      take: ({ arrived, inAll }) => {
        if (!isKnown && inAll > MOST_ALIKE) throw WebhookUnread()
        if (inAll > MOST_MEGABYTES * MIB) throw BodyTooLarge(MOST_MEGABYTES)
        if (inAll <= SMALL) return
        if (!share.bytes.take(network, arrived)) throw TooMuch()
        taken += arrived
      },
      countGenuine: (bytes) => count(perHook, hookId, Math.max(1, Math.ceil(bytes / SMALL))),
      countRefused: (bytes) => void refusals.count(refusalKey, ctx.clock(), Math.max(1, Math.ceil(bytes / MIB))),
      leave: () => {
        share.places.giveBack(network, 1)
        share.bytes.giveBack(network, taken)
      },
    }
  }
}

type AdmissionShare = (typeof LIMITS)['known']

const shareOf = ({ places, bytes }: AdmissionShare) => ({ places: new InFlight(places), bytes: new InFlight(bytes) })

const TooMuch = () => Unavailable('Too many deliveries arrive at once. Send this one again in a few seconds', 10)
