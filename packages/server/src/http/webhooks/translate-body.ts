// Translates the body of a genuine delivery: here, or in a thread if it is large.
import type { EventReason } from '../../domain/repository/repository-event.ts'
import type { Translation } from './dialect.ts'
import { type AppTranslation, type TranslateRequest, translate } from './translate.ts'
import { translateInWorker } from './translate-in-worker.ts'

/** Parsing this much here blocks other requests for some milliseconds at most. */
const MOST_PARSED_HERE = 256 * 1024

/** Of a project's own webhook. */
export async function translateBody(delivery: TranslateRequest): Promise<Translation | EventReason> {
  const translation = await translateAny(delivery)
  return typeof translation === 'string' || 'events' in translation ? translation : 'event_not_used'
}

export async function translateAny(delivery: TranslateRequest): Promise<AppTranslation> {
  return delivery.body.length > MOST_PARSED_HERE ? translateInWorker(delivery) : translate(delivery)
}
