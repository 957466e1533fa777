// Reads large deliveries in a thread of its own, one at a time: parsing 25 MiB would stop everybody else for a second.
import { Worker } from 'node:worker_threads'
import { Unavailable } from '../../domain/errors.ts'
import type { EventReason } from '../../domain/repository-event.ts'
import { createTurnstile } from '../../secrets/turnstile.ts'
import type { Translation } from './dialect.ts'
import type { Letter } from './translate.ts'

const DEADLINE_MS = 10_000
const WAITING = 10

const inTurn = createTurnstile({ atOnce: 1, waiting: WAITING })

export const translateInWorker = (letter: Letter): Promise<Translation | EventReason> => inTurn(() => read(letter))

async function read(letter: Letter): Promise<Translation | EventReason> {
  const { promise, resolve, reject } = Promise.withResolvers<Translation | EventReason>()
  // No limit of memory is set for the thread: reaching it inside the parser would end the whole process. `translate` bounds it.
  const worker = new Worker(new URL('./translation-worker.ts', import.meta.url), { workerData: letter, execArgv: [] })
  worker.on('message', resolve).on('error', reject)
  const deadline = setTimeout(() => reject(TooLong()), DEADLINE_MS)
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    await worker.terminate()
  }
}

const TooLong = () => Unavailable('The delivery could not be read in time. Send it again later', 30)
