// A thread that does the same work on each request and ends after some idle time. It has no limits: use it only for the platform's own
// work, never for work whose size a user chooses.
import { Worker } from 'node:worker_threads'

export type PersistentThread = {
  /** Resolves when the work is done. Rejects if the thread ended; the next request starts a new one. */
  run(): Promise<void>
  close(): Promise<void>
}

/** `program`: a module that calls `runOnRequest`. */
type Program = { readonly program: URL; readonly input: unknown; readonly idleMs: number }

export function createPersistentThread({ program, input, idleMs }: Program): PersistentThread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let pending: readonly PromiseWithResolvers<void>[] = []

  const end = async (error = new Error('The thread was ended')): Promise<void> => {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    for (const { reject } of pending) reject(error)
    pending = []
    await ending?.terminate()
  }
  const start = (): Worker => {
    // The thread gets none of the platform's settings, which include the master key.
    const started = new Worker(program, { workerData: input, env: {}, execArgv: [] })
    started.unref()
    started.on('message', () => {
      const [first, ...others] = pending
      pending = others
      first?.resolve()
      if (others.length > 0) return
      idle = setTimeout(() => void end(), idleMs)
      idle.unref()
    })
    started.on('error', (error) => void end(error))
    return started
  }
  return {
    run: () => {
      const request = Promise.withResolvers<void>()
      pending = [...pending, request]
      worker ??= start()
      clearTimeout(idle)
      worker.postMessage('work')
      return request.promise
    },
    close: end,
  }
}
