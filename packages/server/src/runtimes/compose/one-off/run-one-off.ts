// Runs a one-off command to its end. Durable work: it runs once, whatever happens to the platform meanwhile.
import { attachToContainer } from '../../../commands/docker/containers.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { DurableWork, StepIo } from '../../../deployment/run.ts'
import { withReason } from '../../../deployment/with-reason.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../remote/last-line.ts'

export async function runOneOff(io: StepIo, container: string, work: Pick<DurableWork, 'folder'>): Promise<void> {
  const run = dockerScript('run-once', container, ...attachToContainer(container))
  await withReason(io, { ...work, run }, { faultOf })
}

function faultOf({ exitCode, said }: { readonly exitCode: number; readonly said: string }): StepFault {
  const missing = /^\[FATAL tini \(\d+\)\] exec (.{1,200}) failed: No such file or directory$/m.exec(said)?.[1]
  if (missing !== undefined) {
    const sentence = `The image has no program ${missing}. Check the first word of the command`
    return new StepFault('command', sentence, { exitCode: NOT_FOUND })
  }
  const last = lastLine(said)
  const sentence = `The command ended with exit code ${exitCode}${last === '' ? '' : `: ${last}`}`
  return new StepFault('command', sentence, { exitCode })
}

const NOT_FOUND = 127
