// Translates the body of a genuine delivery: here, or in a thread of its own if it is large. Parsing 25 MiB here would block all other
// requests for a second.
import { Unavailable } from '../../domain/errors.ts'
import type { EventReason } from '../../domain/repository/repository-event.ts'
import { limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { runInThread, ThreadStopped } from '../../threads/run-in-thread.ts'
import { type AppTranslation, type TranslateRequest, translate } from './translate.ts'
import type { Translation } from './webhook-dialect.ts'

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

const WAITING = 10
const program = new URL('./translation-worker.ts', import.meta.url)
/** Far above what `translate` lets a delivery need: met inside the parser, the limit of memory would end the whole process. */
const limits = { computeMs: 10_000, memoryMb: 2048 }

const inTurn = limitConcurrency({ concurrency: 1, maxQueued: WAITING })

/** One at a time. */
const translateInWorker = (delivery: TranslateRequest): Promise<AppTranslation> =>
  inTurn(() => runInThread<AppTranslation>({ program, input: delivery }, limits).catch(tooLong))

function tooLong(error: unknown): never {
  if (!(error instanceof ThreadStopped)) throw error
  throw Unavailable('The delivery could not be read in time. Send it again later', 30)
}
