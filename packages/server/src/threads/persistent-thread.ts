// A thread that does the same piece of work whenever it is asked, and ends when nobody has asked for a while. For work of the platform's own,
// whose size no stranger chooses.
import { Worker } from 'node:worker_threads'

export type LastingThread = {
  /** Resolves when it is done. Rejects where the thread ended instead; the next question starts another. */
  ask(): Promise<void>
  close(): Promise<void>
}

/** The program is a module that calls `workWhenAsked`. */
type Program = { readonly program: URL; readonly input: unknown; readonly idleMs: number }

export function createLastingThread({ program, input, idleMs }: Program): LastingThread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let asked: readonly PromiseWithResolvers<void>[] = []

  const end = async (error = new Error('The thread was ended')): Promise<void> => {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    for (const { reject } of asked) reject(error)
    asked = []
    await ending?.terminate()
  }
  const start = (): Worker => {
    // Nothing of the platform's settings is handed on, which hold the master key.
    const started = new Worker(program, { workerData: input, env: {}, execArgv: [] })
    started.unref()
    started.on('message', () => {
      const [first, ...others] = asked
      asked = others
      first?.resolve()
      if (others.length > 0) return
      idle = setTimeout(() => void end(), idleMs)
      idle.unref()
    })
    started.on('error', (error) => void end(error))
    return started
  }
  return {
    ask: () => {
      const question = Promise.withResolvers<void>()
      asked = [...asked, question]
      worker ??= start()
      clearTimeout(idle)
      worker.postMessage('work')
      return question.promise
    },
    close: end,
  }
}
