// What a delivery is called: its event, and its id as it is shown and as it is compared.
import { hash } from 'node:crypto'
import { safeText } from '@shipway/rules/safe-text'
import { digestInChunks } from '../../secrets/digest-in-chunks.ts'
import type { Delivery, Dialect } from './webhook-dialect.ts'

type Named = Pick<Dialect, 'eventOf' | 'deliveryIdOf'>

export type DeliveryNames = {
  readonly event: string
  readonly shownId: string | undefined
  readonly givenId: string | undefined
}

export function namesOf(dialect: Named, { headers }: Pick<Delivery, 'headers'>): DeliveryNames {
  const givenId = dialect.deliveryIdOf(headers)
  return { event: wordOf(dialect.eventOf(headers)) ?? 'unknown', shownId: wordOf(givenId), givenId }
}

/** For a genuine delivery. */
export async function identityOf({ event, shownId, givenId }: DeliveryNames, body: Uint8Array) {
  const deliveryKey = givenId === undefined ? await keyOfBytes(event, body) : keyOf(givenId)
  return { event, deliveryId: shownId ?? deliveryKey, deliveryKey }
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
