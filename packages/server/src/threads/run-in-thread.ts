/**
 * Does a piece of work whose size a stranger chooses in a thread of its own: it takes none of the time of the platform's own thread,
 * and it is ended when it takes too long or too much memory.
 */
import { type TransferListItem, Worker } from 'node:worker_threads'
import { limitConcurrency } from '../scheduling/limit-concurrency.ts'

/** `computeMs`: of the thread's own time, so that a busy machine costs nobody the answer. `memoryMb`: of JavaScript's own heap. */
type ThreadLimits = { readonly computeMs: number; readonly memoryMb: number }

/** The work was not done: it was ended because of its limits. */
export class ThreadStopped extends Error {
  override readonly name = 'ThreadStopped'
  readonly reason: 'too_slow' | 'too_large'

  constructor(reason: 'too_slow' | 'too_large', cause?: unknown) {
    super(`A thread was ended: ${reason === 'too_slow' ? 'it took too long' : 'it took too much memory'}`, { cause })
    this.reason = reason
  }
}

type ThreadWork = { readonly program: URL; readonly input: unknown; readonly transfer?: readonly TransferListItem[] }

/**
 * The program is a module that calls `answerInThread`. What it gives back is what it says, as its module has typed it. Some run at a
 * time and the others wait for their turn: whoever brings much work slows down that kind of work alone.
 */
export async function runInThread<Answer>(work: ThreadWork, limits: ThreadLimits): Promise<Answer> {
  return inTurn(() => answerOf<Answer>(work, limits))
}

const LOOK_MS = 250

/** One may be the work of somebody who has time, so there is another one. */
const inTurn = limitConcurrency({ atOnce: 2, waiting: Number.POSITIVE_INFINITY })

async function answerOf<Answer>({ program, input, transfer = [] }: ThreadWork, limits: ThreadLimits): Promise<Answer> {
  const worker = new Worker(program, {
    workerData: input,
    transferList: [...transfer],
    // Nothing of the platform's settings is handed on, which hold the master key.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 16 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const look = async (): Promise<void> => {
    try {
      const { user, system } = await worker.cpuUsage()
      if ((user + system) / 1000 > limits.computeMs) reject(new ThreadStopped('too_slow'))
    } catch (error) {
      // One that has just ended cannot be asked: its answer or its error is on the way.
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING')) reject(error)
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS)
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
