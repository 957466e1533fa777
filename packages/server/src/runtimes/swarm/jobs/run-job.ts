// Runs the service of an action, a one-off command or a command of a new version to its end. Durable work: it runs once, whatever happens to
// the platform meanwhile.
import { dockerScript } from '../../../commands/docker/script.ts'
import type { DurableWork, StepIo } from '../../../deployment/run.ts'
import { type Failure, withReason } from '../../../deployment/with-reason.ts'
import type { StepFault } from '../../../domain/tasks/step-fault.ts'

type JobRun = Pick<DurableWork, 'folder' | 'timeoutMs'> & {
  readonly name: string
  readonly faultOf: (failure: Failure) => StepFault
}

export function runJob(io: StepIo, { name, faultOf, ...work }: JobRun): Promise<void> {
  return withReason(io, { ...work, run: dockerScript('run-job', name) }, { faultOf })
}

/** The exit code of a task that could not be started, or was lost with its node. */
export const NOT_STARTED = 125
