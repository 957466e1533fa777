// Reads large deliveries in a thread of its own, one at a time: parsing 25 MiB would block all other requests for a second.
import { Unavailable } from '../../domain/errors.ts'
import { limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { runInThread, ThreadStopped } from '../../threads/run-in-thread.ts'
import type { AppTranslation, TranslateRequest } from './translate.ts'

const WAITING = 10
const program = new URL('./translation-worker.ts', import.meta.url)
/** Far above what `translate` lets a delivery need: met inside the parser, the limit of memory would end the whole process. */
const limits = { computeMs: 10_000, memoryMb: 2048 }

const inTurn = limitConcurrency({ concurrency: 1, maxQueued: WAITING })

export const translateInWorker = (delivery: TranslateRequest): Promise<AppTranslation> =>
  inTurn(() => runInThread<AppTranslation>({ program, input: delivery }, limits).catch(tooLong))

function tooLong(error: unknown): never {
  if (!(error instanceof ThreadStopped)) throw error
  throw Unavailable('The delivery could not be read in time. Send it again later', 30)
}
