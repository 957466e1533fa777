/**
 * Runs work whose size a user chooses in a worker thread, where it does not block the event loop. The thread is terminated if it takes
 * too much time or memory.
 */
import { type TransferListItem, Worker } from 'node:worker_threads'
import { limitConcurrency } from '../scheduling/limit-concurrency.ts'

/** `computeMs`: CPU time, so that a busy machine does not cause a timeout. `memoryMb`: size of the JavaScript heap. */
type ThreadLimits = { readonly computeMs: number; readonly memoryMb: number }

/** The thread exceeded a limit and was terminated. */
export class ThreadStopped extends Error {
  override readonly name = 'ThreadStopped'
  readonly reason: 'too_slow' | 'too_large'

  constructor(reason: 'too_slow' | 'too_large', cause?: unknown) {
    super(`A thread was terminated: ${reason === 'too_slow' ? 'it took too long' : 'it took too much memory'}`, {
      cause,
    })
    this.reason = reason
  }
}

type ThreadWork = { readonly program: URL; readonly input: unknown; readonly transfer?: readonly TransferListItem[] }

/**
 * The program is a module that calls `answerInThread`; `Answer` must be the type it returns. Two threads run at a time and others wait,
 * so a user with much work delays only such work.
 */
export async function runInThread<Answer>(work: ThreadWork, limits: ThreadLimits): Promise<Answer> {
  return inQueue(() => startWorker<Answer>(work, limits))
}

const CHECK_MS = 250

/** Two, so that one slow thread does not delay every caller. */
const inQueue = limitConcurrency({ concurrency: 2, maxQueued: Number.POSITIVE_INFINITY })

async function startWorker<Answer>(
  { program, input, transfer = [] }: ThreadWork,
  limits: ThreadLimits,
): Promise<Answer> {
  const worker = new Worker(program, {
    workerData: input,
    transferList: [...transfer],
    // The thread gets none of the platform's settings, which include the master key.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 16 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const checkTime = async (): Promise<void> => {
    try {
      const { user, system } = await worker.cpuUsage()
      if ((user + system) / 1000 > limits.computeMs) reject(new ThreadStopped('too_slow'))
    } catch (error) {
      // The thread has just ended, and its answer or error will arrive.
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING')) reject(error)
    }
  }
  const timer = setInterval(() => void checkTime(), CHECK_MS)
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadStopped('too_large', error) : error),
  )
  worker.once('exit', (code) => reject(new Error(`A thread ended with ${code} and without an answer`)))
  try {
    return await promise
  } finally {
    clearInterval(timer)
    await worker.terminate()
  }
}
