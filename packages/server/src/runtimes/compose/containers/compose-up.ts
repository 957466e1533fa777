// Starts containers with Compose and explains a failure. Replaces ports that another program has taken, for the next attempt.
import type { Command } from '../../../commands/command.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { withReason } from '../../../deployment/with-reason.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { RuntimeContext } from '../../runtime-context.ts'
import { replaceTaken, type TakenPort } from '../ports/allocate-slots.ts'
import type { ServiceStart } from '../service-start.ts'

type ComposeStart = {
  readonly ids: Deployment['ids']
  readonly services: readonly ServiceStart[]
  readonly run: Command
  readonly folder: string
  readonly isLastTry: boolean
}

/** Returns the ports that were replaced; none where everything has started. */
export async function composeUp(
  io: StepIo,
  context: Pick<RuntimeContext, 'allocateSlots'>,
  { ids, services, run, folder, isLastTry }: ComposeStart,
): Promise<readonly TakenPort[]> {
  let taken: readonly TakenPort[] = []
  const work = { run, folder }
  try {
    await withReason(io, work, {
      faultOf: async ({ said, exitCode }) => {
        taken = await replaceTaken(io, context, { ids, services, said })
        const names = taken.map(({ service }) => service).join(', ')
        const advice = taken.length > 0 ? `. Something else has the port of ${names}: deploy again` : ''
        return new StepFault('command', `Docker Compose could not start it: ${lastLine(said)}${advice}`, { exitCode })
      },
    })
  } catch (error) {
    if (taken.length === 0 || isLastTry) throw error
  }
  return taken
}
