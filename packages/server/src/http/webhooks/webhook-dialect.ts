// The format of a git host's deliveries: how they are signed, what their events are called, and what they say in our words.
import type { IncomingHttpHeaders } from 'node:http'
import type { EventReason, Ping, RepositoryEvent } from '../../domain/repository/repository-event.ts'
import type { ExpectedSignatures } from '../../secrets/webhook-signature.ts'

export type Delivery = {
  readonly headers: IncomingHttpHeaders
  /** As they came; the signature covers these. */
  readonly body: Buffer
  readonly receivedAt: number
}

export type Translation = {
  /** Which repository the git host speaks of; null where it does not say. */
  readonly repository: { readonly id: string; readonly addresses: readonly string[] } | null
  /** At least one. */
  readonly events: readonly RepositoryEvent[]
}

export type Dialect = {
  isSigned(delivery: Delivery, expected: ExpectedSignatures): boolean
  eventOf(headers: IncomingHttpHeaders): string | undefined
  /** The same for a delivery that is sent again. */
  deliveryIdOf(headers: IncomingHttpHeaders): string | undefined
  /** Throws `Unused` for what leads to nothing. */
  translate(event: string, payload: unknown): Translation
}

/** The git host asks whether anybody answers. */
export const PING: Ping = { kind: 'ping' }

/** A delivery that is genuine and of no use here. */
export class Unused extends Error {
  override readonly name = 'Unused'
  readonly reason: EventReason

  constructor(reason: EventReason) {
    super(reason)
    this.reason = reason
  }
}

/** A header that is sent once and says something. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
