// Runs durable work and explains its failure by its output: an exit code alone explains nothing.
import { StepFault } from '../domain/tasks/step-fault.ts'
import type { DurableWork, StepIo } from './run.ts'

export type Failure = { readonly exitCode: number; readonly said: string }

type WorkWithReason = Omit<DurableWork, 'environment'> & Partial<Pick<DurableWork, 'environment'>>

type Reason = {
  /** The part of the output to read; the end by default. */
  readonly from?: 'start' | 'end'
  readonly faultOf: (failure: Failure) => StepFault | Promise<StepFault>
}

const MOST_BYTES = 16_384

export async function withReason(io: StepIo, work: WorkWithReason, { from = 'end', faultOf }: Reason): Promise<void> {
  try {
    await io.durably({ environment: new Map(), ...work })
  } catch (error) {
    if (!(error instanceof StepFault) || error.exitCode === null) throw error
    const { exitCode } = error
    const read = from === 'end' ? 'tail' : 'head'
    const { stdout } = await io.host.run([read, '-c', String(MOST_BYTES), '--', `${work.folder}/output`])
    const isCut = from === 'end' && stdout.length >= MOST_BYTES
    throw await faultOf({ exitCode, said: isCut ? withoutFirstLine(stdout.toString()) : stdout.toString() })
  }
}

/** It may begin in the middle of a secret, and the rest of that would not be masked. */
function withoutFirstLine(said: string): string {
  const lines = said.slice(said.indexOf('\n') + 1)
  return said.trimEnd().includes('\n') ? lines : 'its last line is too long to be shown here'
}
