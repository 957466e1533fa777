// A lock that one process of this machine can hold at a time, and that the kernel takes back when the process dies.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Linux only: a socket whose name begins with a zero byte is no file, and two cannot have the same name. */
export async function holdingLock<Result>(name: string, run: () => Result): Promise<Result> {
  const lock = await take(`\0shipway-test-${name}`)
  try {
    return run()
  } finally {
    lock.close()
    await once(lock, 'close')
  }
}

async function take(name: string): Promise<Server> {
  for (;;) {
    const lock = createServer().listen(name)
    try {
      await once(lock, 'listening')
      return lock
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
    await pause(20)
  }
}
