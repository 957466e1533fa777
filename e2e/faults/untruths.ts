// What a task of the manual recipe says, against what its commands wrote down themselves.
import type { Client } from '@shipway/api'
import type { FaultMarks } from './fault-marks.ts'
import { LINES, printedLine, readTruth, STEPS, type StepTruth } from './truth.ts'

type ManualWorld = FaultMarks & { readonly client: Client; readonly truthFile: string }

/** Compares what the platform says with what the commands wrote down. */
export async function findUntruths(world: ManualWorld, taskId: number): Promise<readonly string[]> {
  const task = await world.client.getTask({ params: { id: taskId } })
  const log = await world.client.readTaskLog({ params: { id: taskId } })
  const truth = readTruth(world.truthFile, taskId)
  const ends = trueEnds(truth, {
    isStruck: world.struck.has(taskId),
    isInterrupted: world.interrupted.has(taskId),
    isCanceled: world.canceled.has(taskId),
  })
  const { status, reason, failed_step: step } = task
  const isTrue = ends.some(
    (end) =>
      end.status === status &&
      (end.status !== 'failed' || (end.step === step?.name && end.codes.includes(step.exit_code))),
  )
  const said = `${status} (${reason ?? 'no reason'}) at ${step?.name ?? 'no step'}: ${step?.message ?? ''}`
  return [
    ...truth.flatMap(({ begun }, index) => (begun > 1 ? [`${STEPS[index]} ran ${begun} times`] : [])),
    ...(isTrue ? [] : [`it says ${said}; in truth ${JSON.stringify({ ends, truth })}`]),
    ...findInLog(log.split('\n'), { taskId, truth }),
  ]
}

type TrueEnd =
  | { readonly status: 'succeeded' | 'canceled' }
  | { readonly status: 'failed'; readonly step: string; readonly codes: readonly (number | null)[] }

/**
 * The ends that agree with what the commands wrote down: one, unless a fault came between a command and the record of its end.
 * A command that was ended failed by the signal. Where its runner went as well there is no exit code, also of a command that
 * had just done its work, or was about to begin.
 */
function trueEnds(
  truth: readonly StepTruth[],
  { isStruck, isInterrupted, isCanceled }: { isStruck: boolean; isInterrupted: boolean; isCanceled: boolean },
): readonly TrueEnd[] {
  // Wherever it was when that came; what it must not have done then, others of these rules hold.
  const ends: TrueEnd[] = isCanceled ? [{ status: 'canceled' }] : []
  const last = truth.findLastIndex(({ begun }) => begun > 0)
  for (const [index, { begun, codes }] of truth.entries()) {
    const step = STEPS[index] ?? ''
    if (isStruck && index === last) ends.push({ status: 'failed', step, codes: [137] })
    if (isInterrupted && (index === last || index === last + 1))
      ends.push({ status: 'failed', step, codes: [null, 137] })
    const [code] = codes
    if (begun === 0 || code === undefined) return ends
    if (code !== 0) return [...ends, { status: 'failed', step, codes: [code] }]
  }
  return [...ends, { status: 'succeeded' }]
}

function findInLog(
  lines: readonly string[],
  { taskId, truth }: { taskId: number; truth: readonly StepTruth[] },
): string[] {
  const output = lines.filter((line) => line !== '')
  const doubled = output.filter((line, index) => output.indexOf(line) !== index)
  const printed = output.filter((line) => line.startsWith('task '))
  const expected = truth.flatMap(({ begun, codes }, index) => {
    const all = Array.from({ length: LINES }, (_, line) => printedLine(taskId, index + 1, line + 1))
    if (begun === 0) return []
    // Of a command that was ended, what it had printed until then is there, and nothing is missing between.
    return codes.length > 0 ? all : all.slice(0, printed.filter((line) => all.includes(line)).length)
  })
  return [
    ...doubled.map((line) => `its log has a line twice: ${line}`),
    ...(printed.join('\n') === expected.join('\n')
      ? []
      : [`its log has other lines than it printed: ${printed.join(' | ')}`]),
  ]
}
