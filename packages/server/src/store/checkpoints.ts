/**
 * Moves what was committed from the write-ahead log into the database, in a thread of its own: SQLite would do it together with some
 * commit, for ten milliseconds and more, in which everybody else waits. The thread is there while much is written.
 */
import { Worker } from 'node:worker_threads'

export type Checkpoints = {
  /** After a write: a checkpoint follows soon, unless there was one just now. */
  follow(): void
  close(): Promise<void>
}

const PAUSE_MS = 250
const IDLE_MS = 60_000

export function keepCheckpoints(path: string): Checkpoints {
  let worker: Worker | undefined
  let isBusy = false
  let lastAt = Number.NEGATIVE_INFINITY
  let idle: NodeJS.Timeout | undefined

  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    isBusy = false
    await ending?.terminate()
  }
  const start = (): Worker => {
    // Nothing of the platform's settings is handed on, which hold the master key.
    const started = new Worker(program, { workerData: path, env: {}, execArgv: [] })
    started.unref()
    started.on('message', () => {
      isBusy = false
      lastAt = performance.now()
    })
    // The database does without it: then a commit does the work, once there is much of it.
    started.on('error', () => void end())
    return started
  }

  return {
    follow: () => {
      if (isBusy || performance.now() < lastAt + PAUSE_MS) return
      isBusy = true
      worker ??= start()
      worker.postMessage('checkpoint')
      clearTimeout(idle)
      idle = setTimeout(() => void end(), IDLE_MS)
      idle.unref()
    },
    close: end,
  }
}

const program = new URL('./checkpoint-thread.ts', import.meta.url)
