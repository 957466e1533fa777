// Sends one request after the other until it is stopped.
import { setTimeout as pause } from 'node:timers/promises'

/** Without a pause, the requests would use half of the machine and slow down everything else. */
const PAUSE_MS = 20

export async function askAlways(ask: () => Promise<string>, signal: AbortSignal) {
  const answers: string[] = []
  const failures: unknown[] = []
  while (!signal.aborted) {
    await ask().then(
      (answer) => answers.push(answer),
      (error: unknown) => failures.push(error),
    )
    await pause(PAUSE_MS)
  }
  return { answers, failures }
}
