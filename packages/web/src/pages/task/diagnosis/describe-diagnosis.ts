// Texts of a diagnosis, and the plain text that the user can copy.
import type { Environment, Task } from '@shipway/api'
import { describeReason } from '../../../text/reason.ts'
import { describeServing } from '../../../text/service-state.ts'
import { shortSha } from '../../../text/sha.ts'
import { taskName } from '../task-name.ts'
import type { FoundDiagnosis } from './use-diagnosis.ts'

/** Undefined if the sentence already contains it. */
export function describeExit(task: Pick<Task, 'failed_step' | 'reason'>): string | undefined {
  const code = task.failed_step?.exit_code ?? null
  return code === null || sentenceOf(task)?.includes(`exit code ${code}`) ? undefined : `Exit code ${code}`
}

export function diagnosisTitle({ failed_step, reason }: Pick<Task, 'failed_step' | 'reason'>): string {
  if (failed_step !== null) return `${failed_step.name} failed in ${failed_step.phase}`
  return reason === null ? 'Failed' : `Failed: ${describeReason(reason)}`
}

export function sentenceOf({ failed_step, reason }: Pick<Task, 'failed_step' | 'reason'>): string | undefined {
  if (failed_step === null) return undefined
  if (failed_step.message !== null) return failed_step.message
  if (reason !== null) return `${describeReason(reason).replace(/^./, (letter) => letter.toUpperCase())}.`
  return undefined
}

type HintPiece = { readonly index: number; readonly text: string; readonly isCode: boolean }

/** Splits a hint at backticks: odd parts are code. */
export function hintPieces(hint: string): readonly HintPiece[] {
  const pieces = hint.split('`').map((text, index) => ({ index, text, isCode: index % 2 === 1 }))
  return pieces.filter(({ text }) => text !== '')
}

/** What visitors get now; undefined if it was not checked recently. */
export function describeVisitors(
  task: Pick<Task, 'id' | 'kind' | 'phases' | 'failed_step'>,
  environment: Environment,
): { isFine: boolean; words: string } | undefined {
  const { live, server } = environment
  if (task.kind === 'remove') {
    return {
      isFine: false,
      words: `Containers or files may be left on ${server.name}. Delete the environment again when the server is reachable.`,
    }
  }
  if (live === null) return { isFine: false, words: 'No deployment has succeeded yet, so nothing is live.' }
  const isFine = live.answers === true
  if (live.task_id > task.id) {
    const what = `${live.commit_sha === null ? 'the version' : shortSha(live.commit_sha)} of deployment #${live.task_id}`
    const now = live.answers === null ? 'is live' : live.answers ? 'is live and answers' : 'is live but does not answer'
    return { isFine, words: `A later deployment succeeded: ${what} ${now}.` }
  }
  const words = describeServing(live, task)
  return words === undefined ? undefined : { isFine, words }
}

export function diagnosisText(
  task: Task,
  environment: Environment | undefined,
  { diagnostics }: FoundDiagnosis,
): string {
  const output = diagnostics?.output
  const lines = [
    `${taskName(task)}${environment ? ` of ${environment.name}` : ''}: ${diagnosisTitle(task)}`,
    sentenceOf(task),
    describeExit(task),
    task.commit ? `Commit ${task.commit.sha} ${task.commit.message?.split('\n', 1)[0] ?? ''}`.trim() : undefined,
    output ? `\nOutput of the step, lines ${output.first_line} to ${output.last_line}:\n${output.text}` : undefined,
    ...(diagnostics?.hints ?? []).map((hint) => `Hint: ${hint}`),
    environment ? describeVisitors(task, environment)?.words : undefined,
    `${task.url}\n`,
  ]
  return lines.filter((line) => line !== undefined).join('\n')
}
