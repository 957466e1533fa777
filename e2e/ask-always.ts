// Asks again and again, one request after the other, until it is told to stop.
import { setTimeout as pause } from 'node:timers/promises'

/** Whatever is asked meanwhile takes as long or longer: without it, half of the machine would be busy with asking. */
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
