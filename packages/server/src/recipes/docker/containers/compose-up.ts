// Lets Compose start containers, and says why it could not.
import type { Command } from '../../../commands/command.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { Deployment } from '../../deployment.ts'
import type { Doors } from '../../doors.ts'
import type { StepIo } from '../../run.ts'
import { replaceTaken } from '../allot-slots.ts'
import type { ServiceStart } from '../service-start.ts'
import { withReason } from '../with-reason.ts'

type Up = {
  readonly ids: Deployment['ids']
  readonly services: readonly ServiceStart[]
  readonly run: Command
  readonly folder: string
}

export async function composeUp(
  io: StepIo,
  doors: Pick<Doors, 'allotSlots'>,
  { ids, services, run, folder }: Up,
): Promise<void> {
  const work = { run, folder }
  await withReason(io, work, {
    faultOf: async ({ said, exitCode }) => {
      const taken = await replaceTaken(io, doors, { ids, services, said })
      const advice = taken.length > 0 ? `. Something else has the port of ${taken.join(', ')}: deploy again` : ''
      return new StepFault('command', `Docker Compose could not start it: ${lastLine(said)}${advice}`, { exitCode })
    },
  })
}
