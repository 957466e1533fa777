// Runs clean-up work after the switch. It cannot fail the task: the new release already serves.
import { ConnectionLost, ServerUnreachable } from '../remote/host.ts'
import type { StepIo } from './run.ts'

/** `work` returns a sentence for each thing that stays. A failure is reported in the output, and the platform's own clean-up retries. */
export async function cleanUp({ signal, say }: StepIo, work: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const sentence of await work()) say(sentence)
  } catch (error) {
    // Another process continues the task, and with it this clean-up.
    if (signal.aborted) throw error
    const isKnown = error instanceof ServerUnreachable || error instanceof ConnectionLost
    say(`What is left over could not be removed now${isKnown ? `: ${error.message}` : ''}`)
    say('The deployment serves all the same; the platform removes it later')
  }
}
