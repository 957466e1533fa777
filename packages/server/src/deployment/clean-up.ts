// What comes after the switch: it cannot fail the task any more, since the new release serves already.
import { ConnectionLost, ServerUnreachable } from '../remote/host.ts'
import type { StepIo } from './run.ts'

/** `work` gives a sentence for each thing that stays. What does not work is said, and left to the platform's own clean-up. */
export async function cleanUp({ signal, say }: StepIo, work: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const sentence of await work()) say(sentence)
  } catch (error) {
    // Another process goes on with the task, and with this.
    if (signal.aborted) throw error
    const isKnown = error instanceof ServerUnreachable || error instanceof ConnectionLost
    say(`What is left over could not be removed now${isKnown ? `: ${error.message}` : ''}`)
    say('The deployment serves all the same; the platform removes it later')
  }
}
